/** The document that shows one stored object. */
import type { OpenedObject } from '../../server/protocol/model';

const longestTitle = 120;

/** The warning, as comments above the text, and whether values are masked or were revealed. */
export function objectText(
  { text, warning, masked }: Pick<OpenedObject, 'text' | 'warning' | 'masked'>,
  revealed = false,
): string {
  const lines = [
    ...warning.split(/\r?\n/).filter((line) => line.trim() !== ''),
    ...(masked ? ['Values of this Secret are masked.'] : []),
    ...(revealed ? ['Values of this Secret are revealed.'] : []),
  ];
  if (lines.length === 0) return text;
  return `${lines.map((line) => `# ${line}`).join('\n')}\n${text}`;
}

/** A path whose last segment is what the editor's tab says; titles come out of etcd. */
export function objectPath(title: string): string {
  const name = objectName(title)
    .replace(/[\p{C}\p{Z}\\:?*"<>|#%]+/gu, ' ')
    .trim();
  const short = name.length > longestTitle ? `${name.slice(0, longestTitle)}…` : name;
  return `/${short.replace(/^\/+/, '') || 'object'}.yaml`;
}

/** What a sentence calls the object. */
export function objectName(title: string): string {
  return title.replace(/\.yaml$/, '');
}
