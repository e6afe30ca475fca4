/** Counts behind the requirements of a selector. */
import { expect, it } from 'vitest';
import { SiteCounts } from '../../../../server/features/language/siteCounts';
import { siteHints } from '../../../../server/features/language/sites';
import { indexOf } from '../../language/index/support';
import { analystOfDesk, documentOf, storedIn } from './support';

const index = indexOf([{ labels: { app: 'web', tier: 'a' } }, { labels: { app: 'web' } }]);

async function hintsOf(text: string) {
  const parts = {
    ...analystOfDesk(),
    stored: storedIn(index),
    counts: new SiteCounts(),
  };
  const document = documentOf(text, 'file:///a/q.etcdlist', 'etcdlist');
  const end = document.positionAt(text.length);
  const hints = await siteHints(parts, document, { start: { line: 0, character: 0 }, end });
  return hints.map(({ position, label }) => [position.character, label]);
}

it('stand behind each of several, and nowhere in an address', async () => {
  expect(await hintsOf('list pods -l app=web,tier=a')).toEqual([
    [20, '2'],
    [27, '1'],
  ]);
  expect(await hintsOf('GET /api/v1/pods?labelSelector=app%3Dweb%2Ctier%3Da')).toEqual([]);
});
