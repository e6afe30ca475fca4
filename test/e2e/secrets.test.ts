/** A user with a password: asked for, refused, remembered, forgotten, and never written down. */
import { afterAll, describe, expect, it } from 'vitest';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import type { RunningEtcd } from '../support/etcdServer';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { pods } from './support/pods';
import { writtenDown } from './support/writtenDown';

const password = 'pa55-of-the-reader';

describe.skipIf(etcdMissing('3.7'))('on an etcd with authentication', () => {
  let etcd: RunningEtcd | undefined;
  afterAll(async () => {
    await etcd?.stop();
  });
  const prepare = async () => {
    const users = [{ name: 'reader', password, readPrefix: '/registry/' }];
    etcd = await startEtcd('3.7', { auth: { rootPassword: 'root-pass', users } });
    await etcd.writer.bulkLoad(pods(20));
    const connections = [{ name: 'guarded', endpoints: [etcd.endpoint], user: 'reader' }];
    return {
      settings: { 'etcdList.connections': connections, 'etcdList.trace.server': 'verbose' },
    };
  };

  describeVSCode([newestVSCode], { name: 'a password', prepare }, (workbench) => {
    it('is asked for, again when it is refused, and lists are read with it', async () => {
      const code = workbench();
      const panel = await ListPanel.open(code);
      await panel.button('Connect to guarded').click();
      await code.quickInput.getByText(/Password of etcd user "reader"/).waitFor();
      expect(await code.quickBox.getAttribute('type')).toBe('password');
      await code.answer('wrong');
      await code.quickInput.getByText(/That password was refused/).waitFor({ timeout: 60_000 });
      await code.answer(password);
      await panel.connectedTo('guarded');
      await panel.run({ limit: '5' });
      expect(await panel.footer.innerText()).toMatch(/^5 rows/);
    });

    it('is not asked for twice in a window, and is kept only when that is wanted', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      const question = await code.notification(/Remember the password of "guarded"/);
      await question.getByRole('button', { name: 'Remember' }).click();
      await panel.menu(/^Connection/, 'Disconnect');
      await code.statusBarItem(/^etcd: not connected$/).waitFor();
      await panel.connect('guarded');
      expect(await code.quickInput.isVisible()).toBe(false);
    });

    it('is asked for again once it is forgotten', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await code.palette('etcd LIST: Forget passwords');
      await code.notification(/forgot 1 password/);
      await panel.menu(/^Connection/, 'Disconnect');
      await code.statusBarItem(/^etcd: not connected$/).waitFor();
      await panel.menu(/^Connection/, 'guarded');
      await code.quickInput.getByText(/Password of etcd user "reader"/).waitFor();
      await code.page.keyboard.press('Escape');
      await code.quickInput.waitFor({ state: 'hidden' });
    });

    it('stands in no settings, no log and no trace', () => {
      const text = writtenDown(workbench());
      // The trace is there, and holds what was sent with the password.
      expect(text).toContain('etcdList/connect');
      expect(text).not.toContain(password);
    });
  });
});
