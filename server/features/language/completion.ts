/** Completion: what may stand at a place, and of that what is stored. */
import {
  CompletionItemKind,
  type CompletionItem,
  type CompletionList,
  type Position,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { qualifiedName } from '../../common/groupResource';
import { offersFor, type Known, type Offer } from '../../language/index/offers';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { CompletionSpot, SpotKind } from '../../language/model';
import type { Analyst } from './analyst';

export interface CompletionParts {
  readonly analyst: Analyst;
  readonly stored: StoredLabels;
  /** Whether what the schema of query documents says is offered by another. */
  readonly schemaCompletes: () => boolean;
}

/** Milliseconds that a list of offers waits for etcd; what comes later is there the next time. */
const WAIT_MS = 1000;

/** What asks for offers without a letter being typed. */
export const TRIGGERS = [' ', ':', '=', ',', '(', '!', '/', '-', '"', "'", '&', '?', '{'];

const none: CompletionList = { isIncomplete: false, items: [] };

/** Nothing is offered now; the editor asks again at the next letter. */
const notNow: CompletionList = { isIncomplete: true, items: [] };

export async function complete(
  parts: CompletionParts,
  document: TextDocument,
  position: Position,
  signal: AbortSignal,
): Promise<CompletionList> {
  const { version } = document;
  const answer = await parts.analyst.ask(document, 'spotAt', document.offsetAt(position), signal);
  if (!answer.answered || document.version !== version) return notNow;
  const spot = answer.value;
  if (spot === undefined || (spot.isInSchema === true && parts.schemaCompletes())) return none;
  const all = await known(parts, spot, signal);
  // The places are those of the text as it was asked about.
  if (document.version !== version) return notNow;
  const { offers, complete: isComplete } = offersFor(spot, all);
  const items = offers.map((offer) => itemOf(document, spot, offer));
  return { isIncomplete: !isComplete, items };
}

async function known(
  { stored }: CompletionParts,
  { kind, from }: CompletionSpot,
  signal: AbortSignal,
): Promise<Known> {
  const index =
    from.resource !== undefined && READ_FOR.has(kind)
      ? await stored.whenReady(from.resource, from.namespace, signal, WAIT_MS)
      : undefined;
  const namespaces =
    kind === 'namespace' ? await stored.whenNamespaces(signal, WAIT_MS) : undefined;
  const custom = kind === 'resource' ? await stored.whenCustomResources(signal, WAIT_MS) : [];
  const customResources = custom.map(({ group, plural }) =>
    qualifiedName({ group, resource: plural }),
  );
  return { index, namespaces: namespaces ?? [], customResources };
}

/** For these etcd is read; the others need nothing of it. */
const READ_FOR: ReadonlySet<SpotKind> = new Set<SpotKind>(['labelKey', 'labelValue', 'fieldValue']);

const kinds: Readonly<Record<SpotKind, CompletionItemKind>> = {
  labelKey: CompletionItemKind.Property,
  labelOperator: CompletionItemKind.Operator,
  labelValue: CompletionItemKind.Value,
  fieldName: CompletionItemKind.Field,
  fieldOperator: CompletionItemKind.Operator,
  fieldValue: CompletionItemKind.Value,
  resource: CompletionItemKind.Class,
  namespace: CompletionItemKind.Module,
  flag: CompletionItemKind.Keyword,
  choice: CompletionItemKind.EnumMember,
};

function itemOf(document: TextDocument, { kind }: CompletionSpot, offer: Offer): CompletionItem {
  const { span, text } = offer.edit;
  return {
    label: offer.text,
    kind: kinds[kind],
    // Shown in every row; what stands in `detail` is shown in the chosen one only.
    labelDetails: { description: offer.detail },
    filterText: offer.filter,
    sortText: offer.sort,
    textEdit: {
      range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
      newText: text,
    },
  };
}
