/**
 * Checks that bytes are one JSON value by the states, and with the error texts, of Go's
 * `encoding/json` scanner. Continue tokens are parsed with it (rule T2), since clients see its
 * messages. Nesting is counted, not recursed into.
 */
import { goQuote } from '../common/goText';

/** Syntax error with Go's text. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

type State = (byte: number) => State;

type Context = 'key' | 'member' | 'element';

const maxDepth = 10_000;
const code = (character: string): number => character.charCodeAt(0);
const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);

/** A byte as Go prints it in these messages: quoted, bytes above 0x7f as Latin-1 characters. */
function quoteByte(byte: number): string {
  if (byte === code("'")) return String.raw`'\''`;
  if (byte === code('"')) return `'"'`;
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

function fail(byte: number, context: string): never {
  throw new JsonSyntaxError(`invalid character ${quoteByte(byte)} ${context}`);
}

class Scanner {
  private readonly stack: Context[] = [];
  private ended = false;

  /** Whether one whole value has been seen. A method, since states change it behind the type checker. */
  isComplete(): boolean {
    return this.ended;
  }

  readonly beginValue: State = (byte) => {
    if (isSpace(byte)) return this.beginValue;
    switch (String.fromCharCode(byte)) {
      case '{':
        return this.push(byte, 'key', this.beginKeyOrEnd);
      case '[':
        return this.push(byte, 'element', this.beginElementOrEnd);
      case '"':
        return this.inString;
      case '-':
        return this.negative;
      case '0':
        return this.afterInteger;
      case 't':
        return this.literal('true', 1);
      case 'f':
        return this.literal('false', 1);
      case 'n':
        return this.literal('null', 1);
      default:
        return isDigit(byte) ? this.integer : fail(byte, 'looking for beginning of value');
    }
  };

  private push(byte: number, context: Context, next: State): State {
    this.stack.push(context);
    return this.stack.length > maxDepth ? fail(byte, 'exceeded max depth') : next;
  }

  private pop(): State {
    this.stack.pop();
    if (this.stack.length > 0) return this.endValue;
    this.ended = true;
    return this.endTop;
  }

  private readonly beginElementOrEnd: State = (byte) => {
    if (isSpace(byte)) return this.beginElementOrEnd;
    return byte === code(']') ? this.pop() : this.beginValue(byte);
  };

  private readonly beginKeyOrEnd: State = (byte) => {
    if (isSpace(byte)) return this.beginKeyOrEnd;
    return byte === code('}') ? this.pop() : this.beginKey(byte);
  };

  private readonly beginKey: State = (byte) => {
    if (isSpace(byte)) return this.beginKey;
    return byte === code('"')
      ? this.inString
      : fail(byte, 'looking for beginning of object key string');
  };

  private readonly endValue: State = (byte) => {
    const context = this.stack.at(-1);
    if (context === undefined) {
      this.ended = true;
      return this.endTop(byte);
    }
    if (isSpace(byte)) return this.endValue;
    if (context === 'key') return this.afterKey(byte);
    return context === 'member' ? this.afterMember(byte) : this.afterElement(byte);
  };

  private afterKey(byte: number): State {
    if (byte !== code(':')) return fail(byte, 'after object key');
    this.stack[this.stack.length - 1] = 'member';
    return this.beginValue;
  }

  private afterMember(byte: number): State {
    if (byte === code('}')) return this.pop();
    if (byte !== code(',')) return fail(byte, 'after object key:value pair');
    this.stack[this.stack.length - 1] = 'key';
    return this.beginKey;
  }

  private afterElement(byte: number): State {
    if (byte === code(']')) return this.pop();
    return byte === code(',') ? this.beginValue : fail(byte, 'after array element');
  }

  private readonly endTop: State = (byte) =>
    isSpace(byte) ? this.endTop : fail(byte, 'after top-level value');

  private readonly inString: State = (byte) => {
    if (byte === code('"')) return this.endValue;
    if (byte === code('\\')) return this.escape;
    return byte < 0x20 ? fail(byte, 'in string literal') : this.inString;
  };

  private readonly escape: State = (byte) => {
    if (byte === code('u')) return this.hexDigits(4);
    return '"\\/bfnrt'.includes(String.fromCharCode(byte))
      ? this.inString
      : fail(byte, 'in string escape code');
  };

  private hexDigits(left: number): State {
    return (byte) => {
      if (!isHex(byte)) return fail(byte, String.raw`in \u hexadecimal character escape`);
      return left === 1 ? this.inString : this.hexDigits(left - 1);
    };
  }

  private readonly negative: State = (byte) => {
    if (byte === code('0')) return this.afterInteger;
    return isDigit(byte) ? this.integer : fail(byte, 'in numeric literal');
  };

  private readonly integer: State = (byte) =>
    isDigit(byte) ? this.integer : this.afterInteger(byte);

  private readonly afterInteger: State = (byte) =>
    byte === code('.') ? this.point : this.exponentOrEnd(byte);

  private readonly point: State = (byte) =>
    isDigit(byte) ? this.fraction : fail(byte, 'after decimal point in numeric literal');

  private readonly fraction: State = (byte) =>
    isDigit(byte) ? this.fraction : this.exponentOrEnd(byte);

  private exponentOrEnd(byte: number): State {
    return byte === code('e') || byte === code('E') ? this.exponent : this.endValue(byte);
  }

  private readonly exponent: State = (byte) =>
    byte === code('+') || byte === code('-') ? this.exponentSigned : this.exponentSigned(byte);

  private readonly exponentSigned: State = (byte) =>
    isDigit(byte) ? this.exponentDigits : fail(byte, 'in exponent of numeric literal');

  private readonly exponentDigits: State = (byte) =>
    isDigit(byte) ? this.exponentDigits : this.endValue(byte);

  private literal(word: string, at: number): State {
    return (byte) => {
      const wanted = word.charAt(at);
      if (byte !== code(wanted)) {
        return fail(byte, `in literal ${word} (expecting ${quoteByte(code(wanted))})`);
      }
      return at + 1 === word.length ? this.endValue : this.literal(word, at + 1);
    };
  }
}

/** Throws `JsonSyntaxError` unless the bytes are exactly one JSON value. */
export function checkJson(bytes: Uint8Array): void {
  const scanner = new Scanner();
  let state = scanner.beginValue;
  for (const byte of bytes) state = state(byte);
  if (scanner.isComplete()) return;
  // Go ends a number or a literal by feeding a blank, which is why a cut literal blames ' '.
  state(0x20);
  if (!scanner.isComplete()) throw new JsonSyntaxError('unexpected end of JSON input');
}
