/** The panel's document. */
export interface PageParts {
  /** Origins that the webview loads its own files from. */
  readonly cspSource: string;
  /** New for each document. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  readonly language: string;
}

/** Allows the panel's own script and style, and nothing else: no inline code, no network. */
export function contentPolicy({ cspSource, nonce }: PageParts): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
  ].join('; ');
}

export function pageHtml(parts: PageParts): string {
  const { nonce, script, style, language } = parts;
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(contentPolicy(parts))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>etcd LIST</title>
<link rel="stylesheet" nonce="${attribute(nonce)}" href="${attribute(style)}">
</head>
<body>
<main></main>
<script nonce="${attribute(nonce)}" src="${attribute(script)}"></script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
