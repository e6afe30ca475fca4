/** The ways to write a text in a shell, an address and YAML. Independent of the readers of the product. */
import { parseDocument } from 'yaml';
import { encodeEach, Unwritten, type Encoded, type Encoding } from './pieces';

const NUL = new Unwritten('an argument holds no NUL');
const LONE = new Unwritten('half a surrogate pair has no UTF-8');
const NO_BREAK = new Unwritten('a request of a query file stands in one line');
const ODD_BLANK = new Unwritten('an odd blank outside quotes is refused as pasted');
const NO_WORD = new Unwritten('a shell has no such word without quotes');
const STYLE = new Unwritten('YAML cannot hold it in this style');

const isLone = (character: string): boolean => /^[\ud800-\udfff]$/.test(character);

function argument(text: string, write: (character: string) => string, isOneLine: boolean) {
  return encodeEach(text, (character) => {
    if (character === '\0') return NUL;
    if (isOneLine && /[\r\n]/.test(character)) return NO_BREAK;
    return write(character);
  });
}

/** Between `'`s; a quote stands outside of them. */
export function shellSingle(isOneLine: boolean): Encoding {
  return (text) => {
    const quoted = encodeEach(text, (character) => {
      if (character === '\0') return NUL;
      if (isOneLine && /[\r\n]/.test(character)) return NO_BREAK;
      return character === "'" ? { text: "'\\''", from: 1, to: 3 } : character;
    });
    return inQuotes(quoted, "'", "'");
  };
}

export function shellDouble(isOneLine: boolean): Encoding {
  return (text) => {
    const write = (character: string): string => character.replace(/["\\$`]/, '\\$&');
    return inQuotes(argument(text, write, isOneLine), '"', '"');
  };
}

/** Between `$'` and `'`, nearly everything as bytes. */
export const shellAnsi: Encoding = (text) => {
  const quoted = encodeEach(text, (character) => {
    if (character === '\0') return NUL;
    if (isLone(character)) return LONE;
    return /[A-Za-z.,/-]/.test(character) ? character : hexBytes(character, '\\x');
  });
  return inQuotes(quoted, "$'", "'");
};

/** Without quotes, with backslashes. */
export const shellBare: Encoding = (text) => {
  if (text === '') return NO_WORD;
  return encodeEach(text, (character) => {
    if (character === '\0') return NUL;
    if (/[\r\n]/.test(character)) return NO_WORD;
    if (/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff]/.test(character)) return ODD_BLANK;
    return /[\w./-]/.test(character) || character > '\x7f' ? character : `\\${character}`;
  });
};

function hexBytes(character: string, before: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte, i) => {
      const hex = byte.toString(16).padStart(2, '0');
      return before + (i % 2 === 0 ? hex : hex.toUpperCase());
    })
    .join('');
}

function percent(isRaw: (character: string) => boolean, blank: string): Encoding {
  return (text) =>
    encodeEach(text, (character) => {
      if (isLone(character)) return LONE;
      if (character === ' ') return blank;
      return isRaw(character) ? character : hexBytes(character, '%');
    });
}

/** As programs write it. */
export const percentUsual = percent((character) => /[\w.~-]/.test(character), '%20');
/** Every byte. */
export const percentAll = percent(() => false, '%20');
/** As people do: nothing but what would not get through. */
export const percentLittle = percent(
  (character) => /[\w.~\-=,!()<>/:@*]/.test(character) || character > '\u3100',
  '+',
);

function inQuotes(encoded: Encoded | Unwritten, open: string, close: string): Encoded | Unwritten {
  if (encoded instanceof Unwritten) return encoded;
  const shift = (offset: number): number => offset + open.length;
  const { text, starts, ends } = encoded;
  return { text: open + text + close, starts: starts.map(shift), ends: ends.map(shift) };
}

/** Characters that YAML takes in double quotes only, as escapes. */
const ESCAPED_ONLY = /(?![\t\n\r])[\p{Cc}\ufeff\ufffe\uffff\u2028\u2029]/u;

const JSON_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** In double quotes, with the escapes that are needed; JSON takes them too. */
export const yamlDouble: Encoding = (text) => {
  const quoted = encodeEach(text, (character) => {
    if (isLone(character)) return LONE;
    const short = JSON_ESCAPES.get(character);
    if (short !== undefined) return short;
    return ESCAPED_ONLY.test(character) ? fourDigits(character) : character;
  });
  return inQuotes(quoted, '"', '"');
};

function fourDigits(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
}

/** Every character as an escape, of each length in turn. */
export const yamlEscaped: Encoding = (text) => {
  const quoted = encodeEach(text, (character, at) => {
    if (isLone(character)) return LONE;
    const code = character.codePointAt(0)!.toString(16);
    if (code.length > 4 || at % 3 === 2) return `\\U${code.padStart(8, '0')}`;
    return code.length > 2 || at % 3 === 1
      ? `\\u${code.padStart(4, '0')}`
      : `\\x${code.padStart(2, '0')}`;
  });
  return inQuotes(quoted, '"', '"');
};

/** In double quotes over several lines: a backslash takes the line's end away. */
export function yamlFoldedDouble(depth: number): Encoding {
  const lineEnd = `\\\n${indentOf(depth)}`;
  return (text) => {
    const inOne = yamlDouble(text);
    if (inOne instanceof Unwritten) return inOne;
    const quoted = encodeEach(text, (character, at) => {
      const isFirst = at > 0 && text.charAt(at - 1) === ',';
      const short =
        JSON_ESCAPES.get(character) ??
        (ESCAPED_ONLY.test(character) ? fourDigits(character) : character);
      const written = isFirst && character === ' ' ? '\\ ' : short;
      if (!isFirst) return written;
      const whole = lineEnd + written;
      return { text: whole, from: lineEnd.length, to: whole.length };
    });
    return read(inQuotes(quoted, '"', '"'), text, depth);
  };
}

/** In single quotes: one line's end is written as two. */
export function yamlSingle(depth: number): Encoding {
  const lineEnd = `\n\n${indentOf(depth)}`;
  return (text) => {
    const quoted = encodeEach(text, (character) => {
      if (ESCAPED_ONLY.test(character) || character === '\r') return STYLE;
      if (character === '\n') return lineEnd;
      return character === "'" ? "''" : character;
    });
    return read(inQuotes(quoted, "'", "'"), text, depth);
  };
}

/** Without quotes. */
export function yamlPlain(depth: number): Encoding {
  return (text) => {
    const plain = encodeEach(text, (character) =>
      ESCAPED_ONLY.test(character) || /[\r\n]/.test(character) ? STYLE : character,
    );
    return read(plain, text, depth);
  };
}

/** A literal block scalar; `end` is what of its last line's end stays. */
export function yamlLiteral(depth: number): Encoding {
  const indent = indentOf(depth);
  return (text) => {
    if (text === '' || /^\s/.test(text)) return STYLE;
    const lines = encodeEach(text, (character) => {
      if (ESCAPED_ONLY.test(character) || character === '\r') return STYLE;
      return character === '\n' ? { text: `\n${indent}`, from: 0, to: 1 } : character;
    });
    return read(inQuotes(lines, `|-\n${indent}`, ''), text, depth);
  };
}

/** A folded one, with each blank as a line's end. */
export function yamlFolded(depth: number): Encoding {
  const indent = indentOf(depth);
  return (text) => {
    if (text === '' || /^\s/.test(text)) return STYLE;
    const lines = encodeEach(text, (character, at) => {
      if (ESCAPED_ONLY.test(character) || character === '\r') return STYLE;
      const isAlone = /\S/.test(text.charAt(at - 1)) && /\S/.test(text.charAt(at + 1));
      if (character === '\n') return { text: `\n\n${indent}`, from: 0, to: 1 };
      return character === ' ' && isAlone ? { text: `\n${indent}`, from: 0, to: 1 } : character;
    });
    return read(inQuotes(lines, `>-\n${indent}`, ''), text, depth);
  };
}

function indentOf(depth: number): string {
  return '  '.repeat(depth + 1);
}

/** Where YAML of any version reads another value, it is not written. */
function read(encoded: Encoded | Unwritten, text: string, depth: number): Encoded | Unwritten {
  if (encoded instanceof Unwritten) return encoded;
  const parents = Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}p:\n`);
  const document = `${parents.join('')}${'  '.repeat(depth)}v: ${encoded.text}\nlast: 1\n`;
  const path = [...parents.map(() => 'p'), 'v'];
  const isSame = (['1.1', '1.2'] as const).every((version) => {
    // What stands behind it belongs to the outermost map.
    const parsed = parseDocument(document, { version, logLevel: 'silent', prettyErrors: false });
    return parsed.errors.length === 0 && parsed.getIn(path) === text;
  });
  return isSame ? encoded : STYLE;
}
