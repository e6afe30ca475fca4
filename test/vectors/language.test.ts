import { afterAll, describe, expect, it } from 'vitest';
import { failureText, isOwnDir, loadFiles, vectorsDir } from './harness';
import { topicLines } from './language/report';
import { runForm, type FormRun } from './language/topic';
import { LANGUAGE_TOPICS } from './language/topics';

const dir = vectorsDir();
const files = loadFiles(dir);
const runs: FormRun[] = [];
const topics = LANGUAGE_TOPICS.filter(
  ({ topic }) => isOwnDir(dir) || files.some((file) => file.topic === topic),
);

describe.each(topics)('$topic through documents', (topic) => {
  const file = files.find((each) => each.topic === topic.topic);

  it.each(topic.forms)('as %s', (form) => {
    if (file === undefined || 'problem' in file) throw new Error('no vectors');
    const run = runForm(topic, form, file);
    runs.push(run);
    expect(run.failures.slice(0, 20).map(failureText).join('\n')).toBe('');
    if (isOwnDir(dir)) expect(run.passed).toBeGreaterThan(0);
  });
});

afterAll(() => {
  console.log(topicLines(runs).join('\n'));
});
