/** The namespace and the name of a request, and what is wrong with them. */
import { cellText } from '../../kube/print/cellText';
import { escapeFieldValue, namespaceNameErrors, pathSegmentNameErrors } from '../../kube/selectors';
import { goQuote } from '../../common/goText';
import { finding, type Finding, type Fix } from '../findings';
import type { Draft, Stated } from './draft';
import { wholeOf } from '../source/parts';
import type { QueryFileOptions } from './options';
import type { Target } from './targets';

/** The namespace that is read; empty for all. */
export function checkNamespace(
  draft: Draft,
  target: Target | undefined,
  options: QueryFileOptions,
  findings: Finding[],
): string {
  const stated = draft.options.get('namespace');
  if (stated !== undefined) {
    return statedNamespace(draft, stated, target, findings);
  }
  if (draft.allNamespaces || draft.withoutNamespace === 'all') return '';
  if (target?.namespaced === false) return '';
  const current = options.namespace ?? 'default';
  if (target !== undefined) findings.push(assumed(draft, current));
  return current;
}

function statedNamespace(
  draft: Draft,
  { text, anchor }: Stated,
  target: Target | undefined,
  findings: Finding[],
): string {
  if (target?.isPrefix === true) {
    const message = 'A namespace does not go with a prefix: append it to the prefix.';
    findings.push(finding('query', message, anchor));
    return '';
  }
  if (draft.allNamespaces) return '';
  const namespace = text.text;
  if (target?.namespaced === false) {
    findings.push(withoutNamespaces(draft, target, anchor));
    return '';
  }
  findings.push(...namespaceFindings(namespace, wholeOf(text)));
  return namespace;
}

/** In a path it leads nowhere, elsewhere it is passed over. */
function withoutNamespaces(draft: Draft, target: Target, anchor: Stated['anchor']): Finding {
  const name = cellText(target.name);
  if (draft.target?.kind !== 'path') {
    return finding('no-effect', `${name} are not namespaced: the namespace has no effect.`, anchor);
  }
  return finding('request', `The API server answers 404: ${name} are not namespaced.`, anchor);
}

function namespaceFindings(namespace: string, span: Stated['anchor']): Finding[] {
  const wrong = pathSegmentNameErrors(namespace);
  if (wrong.length > 0) {
    const message = `invalid namespace ${goQuote(namespace)}: [${wrong.join(' ')}]`;
    return [finding('request', message, span)];
  }
  const [odd] = namespace === '' ? [] : namespaceNameErrors(namespace);
  return odd === undefined
    ? []
    : [finding('no-effect', `No namespace has this name: ${odd}`, span)];
}

function assumed({ anchor, span }: Draft, current: string): Finding {
  const message = `kubectl reads the namespace of its context, which is not known here: ${cellText(current)} is read.`;
  const at = { start: span.end, end: span.end };
  const put = (title: string, text: string, preferred: boolean): Fix => ({
    title,
    edits: [{ span: at, text }],
    preferred,
  });
  const fixes = [put('Read all namespaces', ' -A', false)];
  if (/^[a-z0-9-]+$/.test(current)) {
    fixes.unshift(put(`Write -n ${current}`, ` -n ${current}`, true));
  }
  return finding('assumed-namespace', message, anchor, fixes);
}

/** The field selector that makes a read of one object of a list; undefined without a name. */
export function checkName(
  draft: Draft,
  target: Target | undefined,
  namespace: string,
  findings: Finding[],
): string | undefined {
  const name = draft.target?.kind === 'prefix' ? undefined : draft.target?.name;
  if (name === undefined) return undefined;
  const text = name.text.text;
  const wrong = pathSegmentNameErrors(text);
  const isPath = draft.target?.kind === 'path';
  if (wrong.length > 0) {
    const message = `invalid resource name ${goQuote(text)}: [${wrong.join(' ')}]`;
    // kubectl refuses it by itself, and asks nobody.
    findings.push(finding(isPath ? 'request' : 'query', message, name.anchor));
  }
  if (isPath && target?.namespaced === true && namespace === '') {
    const message = `The API server answers 404: the path of one of ${cellText(target.name)} names its namespace too.`;
    findings.push(finding('request', message, name.anchor));
  }
  return `metadata.name=${escapeFieldValue(text)}`;
}
