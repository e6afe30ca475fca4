/** What is wrong, hostile, broken or huge: a clear sentence each, nothing lost, nothing hung. */
import { afterAll, describe, expect, it } from 'vitest';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import type { RunningEtcd } from '../support/etcdServer';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import {
  allSaid,
  clearNotifications,
  connectByPalette,
  editorShows,
  runAgainUntil,
  saidOnce,
} from './support/parts';
import { pod, pods } from './support/pods';
import { deadEndpoint, startOtherGrpcServer, startWebServer } from './support/ports';
import type { Port } from './support/ports';
import { token } from './support/tokens';
import { Workbench } from './support/workbench';

const attack = '"><img src=x onerror=alert(1)>';
const link = '[click](command:workbench.action.closeWindow)';
const attackToken = token({ rv: 7, start: `web/${attack}${link}` });

const configMap = (name: string, data: Record<string, string>): readonly [string, string] => [
  `/registry/configmaps/web/${name}`,
  JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, namespace: 'web' },
    data,
  }),
];

const secret = JSON.stringify({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name: 'login', namespace: 'web' },
  data: { password: Buffer.from('opensesame').toString('base64') },
});

/** 5 MB in lines of a hundred characters. */
const hugeText = `${'x'.repeat(99)}\n`.repeat(50_000);

async function seed({ writer }: RunningEtcd): Promise<void> {
  await writer.bulkLoad(pods(3000));
  await writer.put(...configMap('good', { a: 'b' }));
  await writer.put('/registry/configmaps/web/bytes', Uint8Array.of(0, 255, 1, 254, 2, 253));
  await writer.put(
    ...pod({
      namespace: 'markup',
      name: `pod-${attack}`,
      labels: { app: attack, [`<b>${attack}`]: link },
      annotations: { note: `${attack} ${link}` },
    }),
  );
  await writer.put('/registry/secrets/web/login', secret);
  await writer.put(
    '/registry/leases/huge/page',
    JSON.stringify({
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name: 'page', namespace: 'huge', annotations: { text: hugeText } },
    }),
  );
}

describe.skipIf(etcdMissing('3.7'))('on a real etcd', () => {
  let etcd: RunningEtcd | undefined;
  const others: Port[] = [];
  const running = (): RunningEtcd => {
    if (!etcd) throw new Error('etcd does not run yet');
    return etcd;
  };

  const prepare = async () => {
    etcd = await startEtcd('3.7', { extraArgs: ['--max-request-bytes=20000000'] });
    await seed(etcd);
    others.push(await startWebServer(), await startOtherGrpcServer());
    const [web, grpc] = others as [Port, Port];
    const connections = [
      { name: 'real', endpoints: [etcd.endpoint] },
      { name: 'web', endpoints: [web.endpoint] },
      { name: 'grpc', endpoints: [grpc.endpoint] },
      { name: '<b>$(zap)</b>', endpoints: [etcd.endpoint] },
    ];
    return {
      settings: { 'etcdList.connections': connections },
      files: { 'hostile.yaml': `metadata:\n  continue: ${attackToken}\n` },
    };
  };
  afterAll(async () => {
    for (const other of others) await other.close();
    await etcd?.stop();
  });

  describeVSCode([newestVSCode], { name: 'bad input', prepare }, (workbench) => {
    it('refuses what is no endpoint under the input', async () => {
      const code = workbench();
      await ListPanel.open(code);
      await connectByPalette(code, /Add connection…/);
      const message = code.quickInput.locator('.quick-input-message');
      for (const [typed, sentence] of [
        [
          'not an endpoint!!',
          '"not an endpoint!!" is no endpoint: write it as host:port or https://host:port.',
        ],
        ['127.0.0.1:99999', '"127.0.0.1:99999" has no valid port: use 1 to 65535.'],
        ['root:secret@127.0.0.1:2379', 'Leave user and password out: VS Code asks for them.'],
        [' , ', 'Give at least one endpoint as host:port, such as 127.0.0.1:2379.'],
      ] as const) {
        await code.answer(typed);
        await message.filter({ hasText: sentence }).waitFor();
      }
      await code.screenshot('no endpoint');
      await code.page.keyboard.press('Escape');
      await code.quickInput.waitFor({ state: 'hidden' });
      expect(await code.notifications()).toEqual([]);
    });

    it('says in one sentence that nothing listens there, and that a name is not known', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      const dead = await deadEndpoint();
      await panel.button('Add connection…').click();
      for (const endpoint of [dead, 'no-such-host.invalid:2379']) {
        await code.answer(endpoint);
        await code.quickInput.getByText(/A name for this connection/).waitFor();
        await code.quickBox.press('Enter');
        const [where] = endpoint.split(':');
        const said = panel.frame.getByRole('tabpanel').getByText(/^etcd at /);
        await said.filter({ hasText: `etcd at ${where}:` }).waitFor({ timeout: 60_000 });
        expect(await said.innerText()).toMatch(
          /^etcd at \S+ cannot be reached or cannot serve now \(.+\): check the address and the member's health\.$/,
        );
        await panel.frame.getByText('Not connected', { exact: true }).waitFor();
        await code.screenshot(`no etcd at ${where}`);
        // What was typed may be corrected at once.
        await waitFor(async () => (await code.quickBox.inputValue()) === endpoint);
      }
      await code.page.keyboard.press('Escape');
      await code.quickInput.waitFor({ state: 'hidden' });
      await clearNotifications(code);
    });

    it.each([
      [
        'web',
        /^What answers at 127\.0\.0\.1:\d+ is not etcd's gRPC port \(.+\): check the address and whether it needs https:\/\/\.$/,
      ],
      [
        'grpc',
        /^What answers at 127\.0\.0\.1:\d+ speaks gRPC but is no etcd, or one older than 3\.0 \(unknown service etcdserverpb\.Maintenance\): check the address\.$/,
      ],
    ])('says what answers in place of etcd: %s', async (name, sentence) => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await connectByPalette(code, new RegExp(`(?:^|\\s)${name}`));
      await saidOnce(code, sentence);
      await panel.frame.getByText(sentence).first().waitFor();
      await code.screenshot(`not etcd ${name}`);
      await clearNotifications(code);
    });

    it('names the key of a value that is no Kubernetes object, and goes on without it', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.connect('real');
      await panel.run({ resource: 'configmaps' });
      await panel.totalsSay(
        /\/registry\/configmaps\/web\/bytes cannot be read: the value has no known encoding: it starts with 00ff01fe02fd\. Leave out unreadable objects to go on without it\..*failed to read one or more configmaps from the storage: .*Until then: /s,
      );
      await code.screenshot('unreadable');
      await panel.follow('Run again leaving it out');
      await panel.totalsSay(/1 object could not be read and was left out/);
      expect(await panel.footer.innerText()).toMatch(/^1 row · all/);
      await panel.row('good').waitFor();
      await code.screenshot('left out');
    });

    it('shows markup in names, labels and annotations as text', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.run({ resource: 'pods', namespace: 'markup' });
      const cells = await panel.row('markup').getByRole('gridcell').allInnerTexts();
      expect(cells.slice(0, 3)).toEqual([
        'markup',
        `pod-${attack}`,
        expect.stringContaining(`app=${attack}`),
      ]);
      expect(await panel.frame.locator('img, b').count()).toBe(0);
      await code.screenshot('markup');
      await panel.row('markup').getByRole('gridcell').nth(1).click();
      const text = await editorShows(code, 'kind: Pod');
      expect(text).toContain(attack);
      await code.screenshot('markup opened');
      await code.palette('View: Close Editor');
    });

    it('shows markup in a token as text, in hover and inspector', async () => {
      const code = workbench();
      await code.openFile('hostile.yaml');
      const hover = await code.hoverOver(attackToken.slice(0, 30), /Inspect continue token/);
      await code.screenshot('markup hover');
      const text = await hover.innerText();
      expect(text).toContain(attack);
      expect(text).toContain(link);
      expect(await hover.locator('img').count()).toBe(0);
      expect(await hover.locator('a').allInnerTexts()).toEqual(['Inspect continue token']);
      await hover.getByText('Inspect continue token').click();
      const panel = await ListPanel.open(code);
      await panel.frame.getByRole('cell').filter({ hasText: attack }).first().waitFor();
      expect(await panel.frame.locator('img').count()).toBe(0);
      await code.screenshot('markup inspector');
      await panel.tab('Rows').click();
      await connectByPalette(code, /\$ ?\(zap\)/);
      await code.statusBarItem(/^etcd <b>\$ \(zap\)<\/b> · RangeStream ✓$/).waitFor();
      expect(await code.page.locator('.statusbar b, .statusbar .codicon-zap').count()).toBe(0);
      await code.screenshot('markup connection');
      await panel.connect('real');
      expect(code.panelErrors).toEqual([]);
    });

    it('lists and opens an object of 5 MB', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.run({ resource: 'leases.coordination.k8s.io', namespace: 'huge' });
      const cells = await panel.row('page').getByRole('gridcell').allInnerTexts();
      expect(Number(cells.at(-1)?.replaceAll(',', ''))).toBeGreaterThan(5_000_000);
      const begin = performance.now();
      await panel.row('page').getByRole('gridcell').nth(1).click();
      await editorShows(code, 'kind: Lease');
      console.log(`5 MB opened in ${Math.round(performance.now() - begin)} ms`);
      await code.screenshot('huge');
      await code.palette('View: Close Editor');
    });

    it('masks a Secret until it is told to reveal it', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.run({ resource: 'secrets', namespace: 'web' });
      await panel.row('login').getByRole('gridcell').nth(1).click();
      const masked = await editorShows(code, 'kind: Secret');
      expect(masked).toContain('# Values of this Secret are masked.');
      expect(masked).not.toContain('b3BlbnNlc2FtZQ');
      await code.screenshot('secret masked');
      const offer = await saidOnce(code, 'Values of web/login are masked.');
      await offer.getByRole('button', { name: 'Reveal values' }).click();
      await editorShows(code, 'b3BlbnNlc2FtZQ');
      await code.screenshot('secret revealed');
      await code.palette('View: Close Editor');
    });

    it('keeps the rows when etcd goes in the middle of a list, and runs again when it is back', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.run({ resource: 'pods', namespace: 'web', limit: '1' });
      await panel.untilEnded(async () => {
        await panel.button('Run to the end').click();
        await panel.footerSays(/^\d{2,} rows · following to the end/);
        await running().kill();
      });
      await panel.totalsSay(
        new RegExp(`^etcd at ${running().endpoint} cannot be reached or cannot serve now`),
      );
      const [, kept] = /^([\d,]+) rows · not complete/.exec(await panel.footer.innerText()) ?? [];
      expect(Number(kept?.replaceAll(',', ''))).toBeGreaterThan(9);
      await panel.row('pod-000000').waitFor();
      await code.screenshot('etcd gone');
      await running().restart();
      await runAgainUntil(panel, /→ 3,000 returned/);
      expect(await panel.footer.innerText()).toMatch(/^3,000 rows · all/);
    });

    it('has one panel however often it is asked for', async () => {
      const code = workbench();
      await code.palette('etcd LIST: List resources');
      await code.palette('etcd LIST: List resources');
      await ListPanel.find(code);
      expect(await code.page.locator('.tab', { hasText: 'etcd LIST' }).count()).toBe(1);
      expect(await code.page.locator('iframe.webview').count()).toBe(1);
    });

    it('runs in two windows at once, and stopping in one does not stop the other', async () => {
      const code = workbench();
      const first = await ListPanel.find(code);
      const second = await Workbench.open(code.server, code.page.context());
      try {
        const panel = await ListPanel.open(second);
        await panel.connect('real');
        await first.run({ resource: 'pods', namespace: 'web', limit: '1' });
        await first.untilEnded(async () => {
          await first.button('Run to the end').click();
          await first.footerSays(/^\d+ rows · following to the end/);
          await panel.run({ resource: 'pods', namespace: 'web', limit: '1' });
          await panel.untilEnded(async () => {
            await panel.button('Run to the end').click();
            await panel.footerSays(/^\d{2,} rows · following to the end/);
            await panel.button('Stop').click();
          });
          await panel.footerSays(/^[\d,]+ rows · not complete/);
          await second.screenshot('second window stopped');
        });
        expect(await first.footer.innerText()).toMatch(/^3,000 rows · all/);
      } finally {
        await second.page.close();
      }
    });
  });
});

describeVSCode(
  [newestVSCode],
  {
    name: 'settings that are nonsense',
    settings: {
      'etcdList.connections': 'x',
      'etcdList.deadlineSeconds': -1,
      'etcdList.rangeStream': 'maybe',
      'etcdList.hoverLanguages': {},
      'etcdList.demoPods': 'many',
    },
  },
  (workbench) => {
    it('gives one message, and the demo cluster connects all the same', async () => {
      const code = workbench();
      const panel = await ListPanel.open(code);
      const sentence =
        "The setting etcdList.connections must be a list; it is read as empty. (4 more in etcdList's settings: the log has all.)";
      const message = await saidOnce(code, sentence);
      await message.getByRole('button', { name: 'Open settings' }).waitFor();
      await code.screenshot('nonsense');
      await panel.button('Use the demo cluster').click();
      await panel.connectedTo('demo');
      await panel.run({ limit: '10' });
      expect(await panel.footer.innerText()).toMatch(/^10 rows · [\d,]+ more follow/);
      expect(await allSaid(code, sentence)).toEqual([sentence]);
      await clearNotifications(code);
    });

    const changes: readonly (readonly [unknown, string])[] = [
      [
        [1],
        'etcdList.connections[0] is left out: it must be an object with "name" and "endpoints".',
      ],
      [
        [{ name: 'a', endpoints: 5 }],
        'etcdList.connections[0] is left out: "endpoints" must be a list of 1 to 100 texts such as "127.0.0.1:2379".',
      ],
      [
        [{ name: 'a', endpoints: ['b'], password: 'secret' }],
        'etcdList.connections[0] is left out: passwords do not belong in settings; take it out, and VS Code will ask.',
      ],
    ];

    it.each(changes)(
      'says what is wrong with %j when it is changed to that',
      async (connections, sentence) => {
        const code = workbench();
        const others = {
          'etcdList.deadlineSeconds': 60,
          'etcdList.rangeStream': true,
          'etcdList.hoverLanguages': ['yaml'],
          'etcdList.demoPods': 1000,
        };
        code.server.changeSettings({ ...others, 'etcdList.connections': connections });
        // A file that is put in another's place is gone for a moment to VS Code: each change, an earlier
        // one too, may be told of twice.
        const known = changes.map(([, text]) => text);
        expect((await allSaid(code, sentence)).filter((text) => !known.includes(text))).toEqual([]);
        await clearNotifications(code);
        const panel = await ListPanel.find(code);
        await panel.run({ limit: '10' });
        expect(code.panelErrors).toEqual([]);
      },
    );
  },
);
