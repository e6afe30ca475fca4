import * as names from '../protocol/names';

/** A Markdown link that opens the token inspector on this token, whatever characters it holds. */
export function inspectLink(token: string): string {
  const argument = encodeURIComponent(JSON.stringify([token])).replace(
    /[()'*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `[Inspect continue token](command:${names.commands.inspectToken}?${argument})`;
}
