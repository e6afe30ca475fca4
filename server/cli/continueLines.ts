/** Explains the continue token of a list that has more. */
import { keyText } from './output/text';
import type { Context } from './context';
import type { Followed } from './follow';
import { plural } from './receiptText';
import { thousands } from './quantities';
import { continueCommand } from './shell';

export function continueLines(
  { continueToken, resourceVersion, lastKey }: Followed,
  { invocation, style }: Pick<Context, 'invocation' | 'style'>,
): string[] {
  const revision = thousands(resourceVersion);
  const start = lastKey === undefined ? 'at its start key' : `right after ${keyText(lastKey)}`;
  return [
    `${style.bold('more follow, continue token:')} ${continueToken}`,
    `  revision ${revision}, starting ${start}`,
    `  a 410 Expired will come once etcd has compacted revision ${revision}`,
    `  next page: ${continueCommand(invocation, continueToken)}`,
  ];
}

/** How to go on with a list that broke off; `written` are the rows of its last page that stand. */
export function resumeLine(
  token: string,
  written: number,
  { invocation, style }: Pick<Context, 'invocation' | 'style'>,
): string {
  const again = written === 0 ? '' : `, which brings ${plural(written, 'row')} again`;
  const command = continueCommand(invocation, token);
  return `${style.bold(`to go on where it stopped${again}:`)} ${command}`;
}
