/**
 * A text as notifications and input boxes may show it: VS Code makes `[x](command:y)` in them a link
 * that runs a command, and names out of an etcd may hold one.
 */
export function noticeText(text: string): string {
  return text.replaceAll('](', '] (');
}
