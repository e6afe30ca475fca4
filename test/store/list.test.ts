import { afterAll, beforeAll, describe, expect } from 'vitest';
import { connect } from '../../server/etcd/connect';
import { notReadOnly } from '../support/readOnly';
import { startRecordingProxy } from '../support/recordingProxy';
import { startSubject, subjectNames } from '../support/storeSubjects';
import { listSuite, loadSuite, type SuiteRig } from './listSuite';

describe.each(subjectNames())('%s', (name) => {
  let rig: SuiteRig;
  beforeAll(async () => {
    const subject = await startSubject(name);
    await loadSuite(subject);
    const proxy = await startRecordingProxy(subject.endpoint);
    rig = { subject, proxy, reader: connect({ endpoints: [proxy.endpoint] }) };
  });
  afterAll(async () => {
    rig.reader.close();
    await rig.proxy.close();
    await rig.subject.stop();
    expect(rig.proxy.everPaths).toContain('/etcdserverpb.KV/Range');
    expect(notReadOnly(rig.proxy.everPaths)).toEqual([]);
  });
  for (const stream of [false, true]) listSuite(name, stream, () => rig);
});
