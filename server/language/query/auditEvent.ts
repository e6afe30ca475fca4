/** A line of an audit log of the API server: JSON with the address among its members. */
import { finding, type Finding } from '../findings';
import { LONGEST_REQUEST } from './options';

const MEMBER = /"requestURI"[ \t]*:[ \t]*("(?:[^"\\]|\\.)*")/;

/** Undefined for a line that is none, or has no address of a request. */
export function auditEvent(text: string, start: number, lineEnd: number): Finding | undefined {
  if (text.charAt(start) !== '{') return undefined;
  const line = text.slice(start, Math.min(lineEnd, start + LONGEST_REQUEST));
  const member = MEMBER.exec(line);
  const written = member?.[1] ?? '';
  const uri = unescaped(written);
  if (member === null || uri === undefined || !/^\/\S*$/.test(uri)) return undefined;
  const at = start + member.index + member[0].length - written.length + 1;
  const whole = { start, end: lineEnd };
  const message = 'This is an event of an audit log: only its request is written here.';
  return finding('query', message, { start: at, end: at + written.length - 2 }, [
    { title: 'Write its request', edits: [{ span: whole, text: `GET ${uri}` }], preferred: true },
  ]);
}

function unescaped(written: string): string | undefined {
  try {
    return String(JSON.parse(written));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
