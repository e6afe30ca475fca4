import { subjectNames } from '../../support/storeSubjects';
import { defineTopic, UnknownShape, type Columns } from '../harness';
import { columns, list, text } from '../read';
import { closeRig, openRig, Replay, stepsOf, type ReplayRig } from '../replay';

async function runStep(replay: Replay, step: Columns, expected: unknown): Promise<unknown> {
  const { requests, ...answer } = await replay.list(columns(step, 'options') ?? {}, step);
  const asked = typeof expected === 'object' && expected !== null && 'requests' in expected;
  const sent = asked || requests.length > 0 ? { requests } : {};
  return replay.named({ ...answer, ...sent }, expected);
}

export const run = defineTopic<ReplayRig>({
  subjects: subjectNames(),
  open: (_, subject) => openRig(subject),
  close: closeRig,
  actual: async ({ input, expect }, rig) => {
    const replay = await Replay.start(rig, list(input, 'writes'));
    const expected = list(expect, 'lists');
    const lists: unknown[] = [];
    for (const step of stepsOf(input)) {
      const kind = text(step, 'do');
      if (kind === 'write') await replay.write(columns(step, 'write') ?? {});
      else if (kind === 'list') lists.push(await runStep(replay, step, expected[lists.length]));
      else throw new UnknownShape(`unknown step ${kind}`);
    }
    return { lists };
  },
});
