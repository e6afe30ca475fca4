/** Picks the output format. */
import type { Clock } from '../../common/clock';
import type { OutputFormat } from '../args/plan';
import type { Style } from '../style';
import { columnsFor } from './columns';
import { jsonWriter, lineWriter, ndjsonWriter, singleWriter, yamlWriter } from './documents';
import { nameLine } from './name';
import { plainItem } from './plain';
import type { RowWriter, Write } from './rows';
import { tableWriter } from './table';

export interface WriterChoice {
  readonly output: OutputFormat;
  readonly kind: 'objects' | 'values';
  /** One object asked for by name: JSON and YAML print it without a List around it. */
  readonly single: boolean;
  readonly namespaces: boolean;
  readonly showSecrets: boolean;
  readonly skipUnreadable: boolean;
  /** A person reads: numbers are grouped. */
  readonly terminal: boolean;
  readonly style: Style;
  readonly clock: Clock;
  readonly notice: (text: string) => void;
}

export function rowWriter(choice: WriterChoice, write: Write): RowWriter {
  const plain = plainItem(choice);
  switch (choice.output) {
    case 'table':
    case 'wide':
      return tableWriter(columnsOf(choice), write, choice);
    case 'name':
      return lineWriter(nameLine, write);
    case 'json':
      return choice.single ? singleWriter('json', plain, write) : jsonWriter(plain, write);
    case 'yaml':
      return choice.single ? singleWriter('yaml', plain, write) : yamlWriter(plain, write);
    case 'ndjson':
      return ndjsonWriter(plain, write);
  }
}

function columnsOf({ kind, output, namespaces, terminal, showSecrets, clock }: WriterChoice) {
  const choice = { kind, wide: output === 'wide', namespaces, grouped: terminal, showSecrets };
  return columnsFor(choice, clock);
}
