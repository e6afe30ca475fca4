/** Explains the continue token of a list that has more. */
import { keyText } from './output/text';
import type { Context } from './context';
import type { Followed } from './follow';
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
