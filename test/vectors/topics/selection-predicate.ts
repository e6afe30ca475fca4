import { parseFieldSelector, parseLabelSelector } from '../../../server/kube/selectors';
import {
  defaultFields,
  isUnfiltered,
  matcherIndex,
  matches,
  singleName,
  singleNamespace,
} from '../../../server/store/predicate';
import { defineTopic, UnknownShape, type Columns } from '../harness';
import { columns, flag, has, text, textMap, texts } from '../read';

function selectors(input: Columns) {
  const parse = <T>(column: string, parser: (text: string) => T): T | undefined =>
    input[column] === null ? undefined : parser(text(input, column));
  return {
    label: parse('labelSelector', parseLabelSelector),
    field: parse('fieldSelector', (selector) => parseFieldSelector(selector)),
    limit: 0n,
    continueToken: has(input, 'continue') ? text(input, 'continue') : '',
  };
}

function match(input: Columns): unknown {
  try {
    const selected = matches(selectors(input), () => {
      if (has(input, 'attrError')) throw new Error(text(input, 'attrError'));
      return {
        labels: textMap(input, 'labels') ?? new Map(),
        fields: textMap(input, 'fields') ?? new Map(),
      };
    });
    return { match: selected };
  } catch (error) {
    return { match: false, error: (error as Error).message };
  }
}

function index(input: Columns): unknown {
  const { label, field } = selectors(input);
  const found = matcherIndex({
    label,
    field,
    indexLabels: texts(input, 'indexLabels') ?? [],
    indexFields: texts(input, 'indexFields') ?? [],
    namespace: text(input, 'namespace'),
  });
  if (!has(input, 'recursive')) return { index: found };
  return { indexUsed: flag(input, 'recursive') ? (found[0]?.index ?? '') : '' };
}

function attributes(input: Columns): unknown {
  const object = columns(input, 'object');
  if (object === null) throw new UnknownShape('no object');
  const namespaced = text(input, 'attributes') === 'namespaceScoped';
  const fields = defaultFields(
    text(object, 'name'),
    namespaced ? text(object, 'namespace') : undefined,
  );
  return { labels: textMap(object, 'labels'), fields };
}

export const run = defineTopic({
  actual: ({ input, expect }) => {
    if (has(input, 'attributes')) return attributes(input);
    if (has(input, 'indexLabels')) return index(input);
    const predicate = selectors(input);
    const all: Record<string, unknown> = {
      single: singleName(predicate) ?? null,
      singleNamespace: singleNamespace(predicate) ?? null,
      empty: isUnfiltered(predicate),
    };
    const asked = Object.fromEntries(Object.entries(all).filter(([name]) => name in expect));
    return 'match' in expect ? { ...(match(input) as Columns), ...asked } : asked;
  },
});
