import axe from 'axe-core';
import type { Frame } from 'playwright-core';

type Runner = Pick<typeof axe, 'run'>;

/** What axe-core finds wrong in a panel: a line per rule and element, empty when nothing is. */
export async function accessibilityFaults(frame: Frame): Promise<string[]> {
  await frame.evaluate(axe.source);
  return await frame.evaluate(async () => {
    const { axe: runner } = globalThis as unknown as { axe: Runner };
    const { violations } = await runner.run(document);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => {
        const why = any.map(({ message }) => message).join('; ');
        return `${id}: ${help} (${target.join(' ')}) ${why}`;
      }),
    );
  });
}
