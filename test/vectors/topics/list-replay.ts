import { subjectNames } from '../../support/storeSubjects';
import { defineTopic, isColumns, UnknownShape, type Columns } from '../harness';
import { columns, list, text } from '../read';
import { closeRig, openRig, Replay, type ReplayRig } from '../replay';

interface Context {
  readonly rig: ReplayRig;
  readonly fixtures: Columns;
  /** The fixture that the subject holds now; cases only read. */
  loaded: { readonly name: string; readonly replay: Replay } | undefined;
}

async function load(context: Context, name: string): Promise<Replay> {
  if (context.loaded?.name === name) return context.loaded.replay;
  const fixture = columns(context.fixtures, name);
  if (fixture === null) throw new UnknownShape(`no fixture called ${name}`);
  const writes = list(fixture, 'writes');
  const replay = await Replay.start(context.rig, writes, text(fixture, 'resourcePrefix'));
  context.loaded = { name, replay };
  return replay;
}

export const run = defineTopic<Context>({
  subjects: subjectNames(),
  open: async (file, subject) => {
    const fixtures = file.rest['fixtures'];
    if (!isColumns(fixtures)) throw new UnknownShape('no fixtures');
    return { rig: await openRig(subject), fixtures, loaded: undefined };
  },
  close: ({ rig }) => closeRig(rig),
  actual: async ({ input, expect }, context) => {
    const replay = await load(context, text(input, 'fixture'));
    const { requests, ...answer } = await replay.list(columns(input, 'options') ?? {});
    const sent = 'requests' in expect || requests.length > 0 ? { requests } : {};
    return replay.named({ ...answer, ...sent }, expect);
  },
});
