import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Topic, TopicSession, VectorFile } from './harness';
import { caseId, failureText, loadFiles, loadTopic, vectorsDir } from './harness';

const ownDir = import.meta.dirname;
const ownCases = 2350;

const dir = vectorsDir();
const files = loadFiles(dir);
const missing: string[] = [];

for (const file of files) {
  if ('problem' in file) {
    it(file.topic, () => {
      expect.unreachable(file.problem);
    });
    continue;
  }
  const topic = await loadTopic(file.topic);
  if (topic === undefined) {
    missing.push(file.topic);
    continue;
  }
  for (const subject of topic.subjects) suite(file, topic, subject);
}

function suite(file: VectorFile, topic: Topic, subject: string): void {
  describe(subject === '' ? file.topic : `${file.topic} on ${subject}`, () => {
    let session: TopicSession;
    beforeAll(async () => {
      session = await topic.open(file, subject);
    });
    afterAll(() => session.close());
    for (const vector of topic.casesFor(file, subject)) {
      it(caseId(vector), async () => {
        const failure = await session.failure(vector);
        if (failure !== undefined) expect.unreachable(failureText(failure));
      });
    }
  });
}

describe('the vectors', () => {
  it('are there, all of them', () => {
    expect(files.length).toBeGreaterThan(0);
    if (dir !== ownDir) return;
    const cases = files.map((file) => ('problem' in file ? 0 : file.cases.length));
    expect(cases.reduce((sum, count) => sum + count, 0)).toBe(ownCases);
  });

  it('have a runner for each topic', () => {
    expect(missing).toEqual([]);
  });
});
