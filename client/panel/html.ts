/** The panel's document. */
export interface PageParts {
  /** Origins that the webview loads its own files from. */
  readonly cspSource: string;
  /** New for each document. */
  readonly nonce: string;
  /** Of styles, which the toolkit reads in the document; another than that of scripts. */
  readonly styleNonce: string;
  readonly script: string;
  readonly style: string;
  readonly language: string;
}

/**
 * Allows the panel's own script and style, and nothing else: no inline code, no network, no form that
 * posts, no base that would turn relative addresses elsewhere. The last two have no default.
 */
export function contentPolicy({ cspSource, nonce, styleNonce }: PageParts): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${styleNonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

export function pageHtml(parts: PageParts): string {
  const { nonce, styleNonce, script, style, language } = parts;
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(contentPolicy(parts))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>etcd LIST</title>
<meta property="csp-nonce" content="${attribute(styleNonce)}">
<link rel="stylesheet" nonce="${attribute(styleNonce)}" href="${attribute(style)}">
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
