/** Takes secrets out of what the client traces of its messages, which may be megabytes long. */
const secretField = /"(?:password|passphrase)"\s*:\s*"/g;
/**
 * An opened object, a document, the line under the pointer and what was pasted may hold a Secret's
 * values or a bearer token; an answer says what stands in them again. A quote must follow, so that
 * numbers such as a position's line stay.
 */
const wholeText = /"(?:text|line|value|markdown|token|json)"\s*:\s*"/g;

/** A user and password that were written into an endpoint by mistake. */
const userInfo = /(\/\/)[^/\s"@]+@/g;

const notTraced = '(not traced)';

export function redact(trace: string): string {
  const clean = withoutTexts(trace, secretField).replace(userInfo, `$1${notTraced}@`);
  return withoutTexts(clean, wholeText);
}

/** `begin` ends with the quote that opens a JSON string; the string's content is taken out. */
function withoutTexts(trace: string, begin: RegExp): string {
  const kept: string[] = [];
  let from = 0;
  for (const match of trace.matchAll(begin)) {
    const start = match.index + match[0].length;
    // A match inside of a string that was taken out is part of it.
    if (start < from) continue;
    kept.push(trace.slice(from, start), notTraced);
    from = endOfString(trace, start);
  }
  return [...kept, trace.slice(from)].join('');
}

/** Where the closing quote stands; the end of the text when there is none. */
function endOfString(trace: string, start: number): number {
  for (let at = start; ; at += 1) {
    const quote = trace.indexOf('"', at);
    if (quote < 0) return trace.length;
    let backslashes = 0;
    while (quote - backslashes > start && trace[quote - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    at = quote;
  }
}
