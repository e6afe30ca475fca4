/** What stands around the rows of several queries, so that a format stays what it is. */
import type { JsonObject } from '../../kube/decode/jsonText';
import { indentedJson } from '../../kube/print/encode';
import type { OutputFormat } from '../args/plan';
import type { Context } from '../context';
import { cell } from '../output/text';
import type { RowOut } from '../pipe';
import { headingText, titleOf, type Heading } from './heading';

export interface Frame {
  /** Where the rows of a query go. */
  begin(heading: Heading): Promise<RowOut>;
  /** The query has ended well. */
  done(): Promise<void>;
  /** The query has failed, and others follow. */
  failed(reason: string): Promise<void>;
  skipped(heading: Heading, why: string): Promise<void>;
  /** The run has come to its end. */
  end(): Promise<void>;
  /** The run stops at a query that failed: nothing is closed, so that half a run is no whole one. */
  stop(): Promise<void>;
}

export interface FrameChoice {
  readonly output: OutputFormat;
  /** Queries of the run. */
  readonly count: number;
  readonly context: Pick<Context, 'rows' | 'notes'>;
}

export function frameOf({ output, count, context }: FrameChoice): Frame {
  const { rows, notes } = context;
  if (output === 'json') return jsonFrame(rows);
  if (output === 'yaml') return yamlFrame(rows);
  const isTable = output === 'table' || output === 'wide';
  // On a terminal the heading on standard error stands right above.
  return isTable && count > 1 && !(rows.isTTY && notes.isTTY) ? tableFrame(rows) : bareFrame(rows);
}

const nothing = (): Promise<void> => Promise.resolve();

/** Lines that each stand for themselves. */
function bareFrame(rows: RowOut): Frame {
  return {
    begin: () => Promise.resolve(rows),
    done: nothing,
    failed: nothing,
    skipped: nothing,
    end: nothing,
    stop: nothing,
  };
}

/** Tables below their headings, apart from each other. */
function tableFrame(rows: RowOut): Frame {
  let apart = '';
  const write = async (text: string): Promise<void> => {
    await rows.write(`${apart}${cell(text)}\n`);
    apart = '\n';
  };
  return {
    ...bareFrame(rows),
    async begin(heading) {
      await write(headingText(heading));
      return rows;
    },
    skipped: (heading, why) => write(`${headingText(heading)}: ${why}`),
  };
}

/** A document for each query, below a comment that says which; one without rows has none. */
function yamlFrame(rows: RowOut): Frame {
  return {
    ...bareFrame(rows),
    begin: (heading) =>
      Promise.resolve(beforeFirst(rows, `---\n# ${cell(headingText(heading).slice(4))}\n`)),
    skipped: (heading, why) => rows.write(`# ${cell(titleOf(heading))} is skipped: ${cell(why)}\n`),
  };
}

/** Writes a text before the first that is not empty. */
function beforeFirst(rows: RowOut, text: string): RowOut {
  let before = text;
  return {
    ...rows,
    async write(row) {
      if (row === '') return;
      const whole = before + row;
      before = '';
      await rows.write(whole);
    },
  };
}

/**
 * One array with an object for each query: `name`, `request`, `line`, and `list`, `error` or
 * `skipped`. A list that failed has its `error` beside it and no metadata.
 */
function jsonFrame(rows: RowOut): Frame {
  let open = '[';
  let list: IndentedRows | undefined;
  const member = async (heading: Heading): Promise<void> => {
    const { name, request, line } = heading;
    const members = { ...(name === '' ? {} : { name }), request, line };
    const text = indentedJson(members, '  ').slice(0, -4);
    await rows.write(`${open}\n  ${text}`);
    open = ',';
  };
  const close = async (rest: JsonObject): Promise<void> => {
    const text = indentedJson(rest, '  ').slice(1);
    await rows.write(`,${text}`);
  };
  return {
    async begin(heading) {
      await member(heading);
      list = new IndentedRows(rows, ',\n    "list": ', '    ');
      return list;
    },
    done: () => rows.write('\n  }'),
    async failed(reason) {
      if (list?.begun === true) await rows.write('\n      ]\n    }');
      await close({ error: reason });
    },
    async skipped(heading, why) {
      await member(heading);
      await close({ skipped: why });
    },
    end: () => rows.write('\n]\n'),
    stop: () => rows.write('\n'),
  };
}

/** Text further to the right, without the line break at its end. */
class IndentedRows implements RowOut {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  private held = '';

  constructor(
    private readonly rows: RowOut,
    private before: string,
    private readonly indent: string,
  ) {
    this.isTTY = rows.isTTY;
    this.columns = rows.columns;
  }

  get begun(): boolean {
    return this.before === '';
  }

  async write(text: string): Promise<void> {
    if (text === '') return;
    const whole = this.held + text;
    const body = whole.endsWith('\n') ? whole.slice(0, -1) : whole;
    this.held = body === whole ? '' : '\n';
    const before = this.before;
    this.before = '';
    await this.rows.write(before + body.replaceAll('\n', `\n${this.indent}`));
  }
}
