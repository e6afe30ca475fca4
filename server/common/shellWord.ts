const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Quotes a word for a POSIX shell where that is needed. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The same for untrusted text on one line: a word with control or direction characters is written
 * with escapes, as bash and zsh read them. A NUL cannot stand in an argument and is left out.
 */
export function untrustedShellWord(word: string): string {
  if (!CONTROLS.test(word)) return shellWord(word);
  const bytes = [...new TextEncoder().encode(word.replaceAll('\0', ''))];
  return `$'${bytes.map(escapedByte).join('')}'`;
}

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (byte >= 0x20 && byte < 0x7f && character !== "'" && character !== '\\') return character;
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
