/** Services whose selector matches none of the Pods that are made in the same file. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding } from '../findings';
import { TOO_MANY_SERVICES } from './limits';

/** What one document tells about Services and Pods. */
export interface PodFacts {
  readonly services: readonly ServiceFact[];
  readonly pods: readonly PodFact[];
}

export interface ServiceFact {
  readonly namespace: string | undefined;
  /** A template decides which namespace it is. */
  readonly isNamespaceOpen: boolean;
  readonly selector: ReadonlyMap<string, string>;
  readonly span: Span;
}

export interface PodFact {
  readonly namespace: string | undefined;
  readonly isNamespaceOpen: boolean;
  /** Undefined where they cannot be told. */
  readonly labels: ReadonlyMap<string, string> | undefined;
}

/** What a document may make that was not looked at, or not all of it. */
export const ANY_POD: PodFact = { namespace: undefined, isNamespaceOpen: true, labels: undefined };

/** Labels that are compared in one file; only a file made for that has more. */
const MOST_COMPARED = 2_000_000;

/** `shift` is what is added to a document's own offsets. */
export function serviceHints(
  documents: readonly { readonly facts: PodFacts; readonly shift: number }[],
): Finding[] {
  const pods = new PodIndex(documents.flatMap(({ facts }) => facts.pods));
  const hints: Finding[] = [];
  for (const { facts, shift } of documents) {
    for (const service of facts.services) {
      const span = { start: service.span.start + shift, end: service.span.end + shift };
      if (pods.holdsNone(service)) hints.push(finding('selects-nothing', TEXT, span));
      if (!pods.isExhausted) continue;
      hints.push(finding('not-checked', TOO_MANY_SERVICES, span));
      return hints;
    }
  }
  return hints;
}

const TEXT = 'This selector matches no Pod that is made in this file.';

/** Labels that the controllers of workloads give to their Pods. */
export const GIVEN_LATER =
  /^(?:(?:statefulset|apps|batch)\.kubernetes\.io\/.*|controller-revision-hash|pod-template-hash|pod-template-generation|controller-uid|job-name)$/;

interface Namespace {
  hasUnknown: boolean;
  /** By one of their labels. */
  readonly byLabel: Map<string, ReadonlyMap<string, string>[]>;
}

function newNamespace(): Namespace {
  return { hasUnknown: false, byLabel: new Map<string, ReadonlyMap<string, string>[]>() };
}

class PodIndex {
  private readonly namespaces = new Map<string | undefined, Namespace>();

  /** Of a Pod nobody knows the namespace. */
  private isScattered = false;

  /** Labels that may still be compared. */
  private left = MOST_COMPARED;

  constructor(pods: readonly PodFact[]) {
    for (const pod of pods) this.add(pod);
  }

  get isExhausted(): boolean {
    return this.left < 0;
  }

  /** Pods are made in the Service's namespace, and none of them has the labels; never once exhausted. */
  holdsNone({ namespace, isNamespaceOpen, selector }: ServiceFact): boolean {
    if (this.isScattered || isNamespaceOpen) return false;
    const there = this.namespaces.get(namespace);
    const asked = [...selector].filter(([key]) => !GIVEN_LATER.test(key));
    if (there === undefined || there.hasUnknown || asked.length === 0) return false;
    const lists = asked.map((label) => there.byLabel.get(label.join('=')) ?? []);
    const fewest = lists.reduce((least, list) => (list.length < least.length ? list : least));
    return fewest.every((labels) => {
      this.left -= asked.length;
      const isMet = asked.every(([key, value]) => labels.get(key) === value);
      return !isMet && !this.isExhausted;
    });
  }

  private add({ namespace, isNamespaceOpen, labels }: PodFact): void {
    if (isNamespaceOpen) {
      this.isScattered = true;
      return;
    }
    const there = this.namespaces.get(namespace) ?? newNamespace();
    this.namespaces.set(namespace, there);
    if (labels === undefined) {
      there.hasUnknown = true;
      return;
    }
    for (const label of labels) {
      const same = there.byLabel.get(label.join('='));
      if (same === undefined) there.byLabel.set(label.join('='), [labels]);
      else same.push(labels);
    }
  }
}
