/** How a list that reaches etcd is read there (rules S1 to S3, P1 to P8, N2). */
import { mayStream } from '../store/streamRule';
import { etcdKeyText, storePathPrefix } from '../store/keys';
import type { ServerFacts } from './asked';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import { pinStep } from './position';
import type { ListRequest } from './request';
import { sourcesOf } from './sources';
import { gatesOf } from '../cache/versions/gates';
import { counted, isFiltered, selectorWords, shown } from './words';

/** The key of a single object, or the prefix of all that is read. */
export function keyText({ narrowed }: ListRequest, { root }: ServerFacts): string {
  const { key, recursive } = narrowed;
  return shown(etcdKeyText(storePathPrefix(root), recursive ? `${key}/` : key));
}

export function decideFromEtcd(
  request: ListRequest,
  facts: ServerFacts,
  inquiry: Inquiry,
): Outcome {
  const key = keyText(request, facts);
  pinStep(request, facts, inquiry);
  if (!request.narrowed.recursive) {
    const text = `Not recursive: limit and token mean nothing, and ${key} is the one key that is read.`;
    inquiry.step({ rule: 'N2', source: sourcesOf(facts.version).etcdList, text });
    return { way: 'etcdKey', text: `From etcd: one key, ${key}.` };
  }
  if (streams(request, facts, inquiry)) {
    const text = `From etcd, as a stream of chunks below ${key}.`;
    return { way: 'etcdStream', text };
  }
  return fromPages(request, facts, inquiry);
}

function streams(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): boolean {
  const { asked, predicate } = request;
  const filtered = isFiltered(request);
  const { limit } = predicate;
  const { shouldStream: source } = sourcesOf(facts.version);
  const step = (text: string) => {
    inquiry.step({ rule: 'S1', source, text });
  };
  if (!gatesOf(facts.version).has('EtcdRangeStream')) {
    step(`Kubernetes ${facts.version} streams no list, which came with 1.37: pages are read.`);
    return false;
  }
  if (!mayStream({ recursive: true, limit, filtered })) {
    step(
      `Both a limit of ${limit} and ${selectorWords(request)}: never streamed, since etcd knows no selector and could not end the stream where the page is full.`,
    );
    return false;
  }
  const what = limit > 0n ? `a limit of ${limit} and no selector` : 'no limit';
  if (asked.stream === 'off') {
    step('--stream=off is asked for, as with the gate EtcdRangeStream off: pages are read.');
    return false;
  }
  if (!facts.gates.EtcdRangeStream && asked.stream === 'auto') {
    step(`A list with ${what} may stream, but the gate EtcdRangeStream is off.`);
    return false;
  }
  step(`A list with ${what} streams where etcd has RangeStream.`);
  return inquiry.ask({
    rule: 'S3',
    source,
    known: facts.rangeStream.answer,
    likely: true,
    yes: 'this etcd has the RangeStream RPC',
    no: 'this etcd does not have the RangeStream RPC',
    about: facts.rangeStream.because,
  });
}

function fromPages(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): Outcome {
  const key = keyText(request, facts);
  const { limit } = request.predicate;
  const step = (rule: string, text: string) => {
    inquiry.step({ rule, source: sourcesOf(facts.version).pages, text });
  };
  if (limit <= 0n) {
    step('P7', `No limit: one read of everything below ${key}, in one reply.`);
    return { way: 'etcdPages', text: 'From etcd, in one read without a limit.' };
  }
  const keys = counted(limit, 'key');
  if (isFiltered(request)) {
    step(
      'P1',
      `The first page is ${keys}; while fewer than ${counted(limit, 'object')} match, the next page is ${limit < 10_000n ? 'twice as large, up to 10,000 keys' : 'as large'}.`,
    );
    return { way: 'etcdPages', text: `From etcd, in pages that begin with ${keys}.` };
  }
  const fills = limit === 1n ? 'fills' : 'fill';
  step('P1', `The first page is ${keys}, which ${fills} the answer: nothing is filtered out.`);
  return { way: 'etcdPages', text: `From etcd, in one page of ${keys}.` };
}
