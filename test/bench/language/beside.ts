/** The same requests to two language servers, in turns. */
import { linesOf, manifestOf, placeAt, spotsOf, type Place, type Spots } from './manifest';
import { alternate, medianMs, sameCount, type Runs } from './rounds';
import type { LspProcess } from './lspProcess';
import { pauses, startServers, type Server, type ServerParts } from './servers';
import type { Surroundings } from './sideProcess';
import { checkedByBoth, errorsOf } from './validates';
import type { Outcome } from './work';

export type Request = 'open' | 'diagnostics' | 'label value' | 'field' | 'hover';
type Way = `${Server} ${Request}`;

export interface BesideResult {
  readonly lines: number;
  readonly runs: Readonly<Record<Way, Runs>>;
}

export interface Beside {
  readonly files: readonly BesideResult[];
  /** Bytes that each process had at most. */
  readonly memory: Readonly<Record<Server, number>>;
}

const uriOf = (name: string): string => `file:///bench/${name}.yaml`;

/** A document that both servers hold. */
class Held {
  private keystrokes = 0;
  private readonly spots: Spots;

  constructor(
    private readonly text: string,
    private readonly uri: string,
  ) {
    this.spots = spotsOf(text);
  }

  /** Of the same text under a new name, so that nothing of it is known. */
  async open(server: LspProcess): Promise<Outcome> {
    const uri = uriOf(`opened-${++this.keystrokes}`);
    const started = performance.now();
    const found = await server.open(uri, this.text);
    const ms = performance.now() - started;
    await server.close(uri);
    return { ms, counts: { found: errorsOf(found).length } };
  }

  async diagnostics(server: LspProcess): Promise<Outcome> {
    const started = performance.now();
    const { found } = await this.press(server);
    const diagnostics = await found;
    return { ms: performance.now() - started, counts: { found: errorsOf(diagnostics).length } };
  }

  /** Right behind a keystroke; the diagnostics that come of it are waited for, and not counted. */
  async complete(server: LspProcess, spot: keyof Spots): Promise<Outcome> {
    const { found } = await this.press(server);
    const started = performance.now();
    const items = await server.complete(this.uri, this.place(spot));
    const ms = performance.now() - started;
    await found;
    return { ms, counts: { found: items.length } };
  }

  async hover(server: LspProcess): Promise<Outcome> {
    const { found } = await this.press(server);
    const started = performance.now();
    const hover = await server.hover(this.uri, this.place('selector'));
    const ms = performance.now() - started;
    await found;
    return { ms, counts: { found: hover === null ? 0 : 1 } };
  }

  private press(server: LspProcess) {
    const text = String(++this.keystrokes % 10);
    return server.change(this.uri, { at: this.place('change'), text });
  }

  private place(spot: keyof Spots): Place {
    return placeAt(this.text, this.spots[spot]);
  }
}

function waysOf(held: Held, both: Readonly<Record<Server, LspProcess>>) {
  const of = (server: Server) => ({
    [`${server} open`]: () => held.open(both[server]),
    [`${server} diagnostics`]: () => held.diagnostics(both[server]),
    [`${server} label value`]: () => held.complete(both[server], 'labelValue'),
    [`${server} field`]: () => held.complete(both[server], 'field'),
    [`${server} hover`]: () => held.hover(both[server]),
  });
  return { ...of('ours'), ...of('theirs') } as Readonly<Record<Way, () => Promise<Outcome>>>;
}

async function measureOne(
  lines: number,
  rounds: number,
  both: Readonly<Record<Server, LspProcess>>,
): Promise<BesideResult> {
  const uri = uriOf(`lines-${lines}`);
  const text = manifestOf('documents', { lines });
  await checkedByBoth(uri, text, both);
  const runs = await alternate(waysOf(new Held(text, uri), both), rounds);
  for (const server of Object.values(both)) await server.close(uri);
  return { lines: linesOf(text), runs };
}

/** Rejects when one of them does not do its part at all. */
export async function measureBeside(
  sizes: readonly number[],
  rounds: number,
  parts: ServerParts,
  around: Surroundings,
): Promise<Beside> {
  around.progress('starting both language servers');
  const both = await startServers(parts, around);
  const meters = { ours: both.ours.meter(), theirs: both.theirs.meter() };
  const files: BesideResult[] = [];
  for (const lines of sizes) {
    around.progress(`both language servers, ${lines} lines`);
    files.push(await measureOne(lines, rounds, both));
  }
  const memory = { ours: meters.ours.memory(), theirs: meters.theirs.memory() };
  for (const server of Object.values(both)) await server.stop();
  return { files, memory };
}

export const besideMs = ({ runs }: BesideResult, server: Server, request: Request): number =>
  medianMs(runs[`${server} ${request}`]);

/** Diagnostics come after a pause; without it, what the work took. */
export const workMs = (result: BesideResult, server: Server, request: Request): number => {
  const ms = besideMs(result, server, request);
  return request === 'open' || request === 'diagnostics' ? ms - pauses[server][request] : ms;
};

export const foundBy = ({ runs }: BesideResult, server: Server, request: Request): number =>
  sameCount(`${server} ${request}`, runs[`${server} ${request}`], 'found');
