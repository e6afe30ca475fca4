/**
 * What the words behind `kubectl get` name.
 *
 * Upstream: `Builder.ResourceTypeOrNameArgs` of `cli-runtime/pkg/resource`, whose texts these are where
 * kubectl refuses too.
 */
import { cellText } from '../../kube/print/cellText';
import type { Span } from '../../kube/selectors';
import { finding, type Finding } from '../findings';
import type { DraftTarget, Stated } from './draft';
import { wordPart, type ShellWord } from '../shell/words';

/** Undefined with a finding where it is not one type, or one object of one type. */
export function kubectlTarget(
  operands: readonly ShellWord[],
  anchor: Span,
  findings: Finding[],
): DraftTarget | undefined {
  const [first, second] = operands;
  if (first === undefined) {
    findings.push(finding('query', 'Required resource not specified.', anchor));
    return undefined;
  }
  const refused = severalTypes(first) ?? slashProblem(operands) ?? severalObjects(operands);
  if (refused !== undefined) {
    findings.push(refused);
    return undefined;
  }
  const slash = first.text.text.indexOf('/');
  const resource = partStated(first, 0, slash < 0 ? undefined : slash);
  if (slash >= 0) return { kind: 'word', resource, name: partStated(first, slash + 1) };
  const name = second === undefined ? undefined : partStated(second, 0);
  return { kind: 'word', resource, name };
}

function partStated(word: ShellWord, start: number, end?: number): Stated {
  return { text: wordPart(word, start, end), anchor: word.span };
}

function severalTypes({ text: { text }, span }: ShellWord): Finding | undefined {
  const [types = ''] = text.split('/', 1);
  if (types === 'all') {
    const message =
      '"all" stands for several types, each with a LIST of its own: write a block for each.';
    return finding('query', message, span);
  }
  if (!types.includes(',')) return undefined;
  const message = `"${cellText(types)}" names several types: kubectl makes a LIST for each, so write a block for each.`;
  return finding('query', message, span);
}

function slashProblem(operands: readonly ShellWord[]): Finding | undefined {
  const joined = operands.filter(({ text }) => text.text.includes('/'));
  if (joined.length === 0) return undefined;
  const apart = operands.find(({ text }) => !text.text.includes('/'));
  if (apart !== undefined) {
    const message =
      "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'";
    return finding('query', message, apart.span);
  }
  for (const { text, span } of joined) {
    const [resource, name, more] = text.text.split('/', 3);
    if (more !== undefined) {
      const message = 'arguments in resource/name form may not have more than one slash';
      return finding('query', message, span);
    }
    if (resource === '' || name === '') {
      const message = 'arguments in resource/name form must have a single resource and name';
      return finding('query', message, span);
    }
  }
  return undefined;
}

function severalObjects(operands: readonly ShellWord[]): Finding | undefined {
  const isJoined = operands[0]?.text.text.includes('/') === true;
  const extra = operands[isJoined ? 1 : 2];
  if (extra === undefined) return undefined;
  const message = 'kubectl reads these objects one by one: write a block for each name.';
  return finding('query', message, extra.span);
}
