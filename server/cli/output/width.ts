/** Columns that text takes on a terminal. */

/** Ranges that terminals draw two columns wide (East Asian Width W and F, and emoji). */
const WIDE =
  /^[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2-\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f004}\u{1f0cf}\u{1f18e}-\u{1f1ff}\u{1f200}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f7e0}-\u{1f7f0}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** Characters drawn over the one before them. */
const ZERO = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200f]|\u2060|\ufeff)$/u;

export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (!ZERO.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}
