import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  writeFileSync,
  renameSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { waitFor } from '../../support/waitFor';
import { findCodeServer } from '../codeServers.mjs';
import type { VSCodeVersion } from '../codeServers.mjs';
import { killAll, processesMarked } from '../../support/processes';
import type { Process } from '../../support/processes';

export type Settings = Readonly<Record<string, unknown>>;

export interface CodeServerOptions {
  readonly version: VSCodeVersion;
  /** Names the folder of its logs and screenshots. */
  readonly name: string;
  /** Files of the workspace folder by their relative paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: Settings;
  /** With `false` VS Code asks for trust, and the folder is not trusted at first. */
  readonly trusted?: boolean;
  /** Without the extension, for a look at VS Code itself. */
  readonly bare?: boolean;
  /** Packaged extensions that are installed beside it. */
  readonly neighbours?: readonly string[];
}

export interface CodeServer {
  readonly version: VSCodeVersion;
  readonly url: string;
  /** The workspace folder. */
  readonly folder: string;
  /** What is to be kept of this run: logs, screenshots. */
  readonly outDir: string;
  /**
   * Changes settings while VS Code runs, which reads them by itself: those of the machine, which go
   * before the user's. `undefined` takes such a change back.
   */
  changeSettings(changes: Settings): void;
  /** Processes of this VS Code, some argument of which contains `fragment`. */
  processes(fragment: string): Process[];
  /** What is logged by VS Code and, by its output channels, the extension. */
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, '../../..');

/** The packaged extension that is tested. */
export function vsixFile(): string {
  const file = process.env['ETCD_LIST_VSIX'] ?? join(root, 'build/e2e/etcd-list-explorer.vsix');
  if (!existsSync(file)) throw new Error(`${file} is absent: npm run test:e2e makes it`);
  return file;
}

/**
 * Chat and welcome pages would stand in the way, and nothing may look for updates or send reports.
 * Without the GPU the terminal's text is in the document, where tests can read it.
 */
const quietSettings: Settings = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'remote.autoForwardPorts': false,
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'window.commandCenter': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  await once(server.close(), 'close');
  return address.port;
}

function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** VS Code passes some settings of its own on to what it starts; a VS Code around us is not meant. */
function environment(home: string, mark: string): NodeJS.ProcessEnv {
  const outer =
    /^(VSCODE_|CODE_SERVER|ELECTRON_|VITEST|npm_|(NODE_OPTIONS|NODE_ENV|TEST|DEV|PROD|MODE|SSR|BASE_URL|PASSWORD|PORT)$)/;
  const kept = Object.entries(process.env).filter(([name]) => !outer.test(name));
  const [name = '', value] = mark.split('=');
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    // Without a marketplace, which VS Code would look for at once.
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CONFIG_HOME: join(home, 'config'),
    SHELL: '/bin/bash',
    [name]: value,
  };
}

/** Starts VS Code with the packaged extension in folders of its own; resolves when it answers. */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const program = findCodeServer(options.version);
  if (!program) throw new Error(`VS Code ${options.version} is absent: see node test/e2e/get.mjs`);
  const home = mkdtempSync(join(tmpdir(), 'etcd-list-e2e-'));
  const [data, extensions, folder] = ['data', 'extensions', 'folder'].map((name) =>
    join(home, name),
  ) as [string, string, string];
  const outDir = join(root, 'build/e2e', options.version, options.name);
  for (const dir of [join(data, 'User'), join(data, 'Machine'), extensions, folder, outDir])
    mkdirSync(dir, { recursive: true });
  writeFiles(folder, options.files ?? {});

  const userSettings = join(data, 'User', 'settings.json');
  writeFileSync(userSettings, JSON.stringify({ ...quietSettings, ...options.settings }, null, 2));
  // VS Code in a browser reads the user's file once only, but watches the one of the machine.
  const machineSettings = join(data, 'Machine', 'settings.json');
  writeFileSync(machineSettings, '{}');
  const changeSettings = (changes: Settings): void => {
    const before = JSON.parse(readFileSync(machineSettings, 'utf8')) as Settings;
    // VS Code must not read a file that is half written.
    writeFileSync(`${machineSettings}.new`, JSON.stringify({ ...before, ...changes }, null, 2));
    renameSync(`${machineSettings}.new`, machineSettings);
  };

  const mark = `ETCD_LIST_E2E_SERVER=${randomUUID()}`;
  const env = environment(home, mark);
  const dirs = ['--user-data-dir', data, '--extensions-dir', extensions];
  const own = options.bare === true ? [] : [vsixFile()];
  for (const vsix of [...own, ...(options.neighbours ?? [])]) {
    const args = [program.entry, ...dirs, '--install-extension', vsix];
    const { status, stdout, stderr } = spawnSync(program.node, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${vsix} was not installed: ${stdout}${stderr}`);
  }

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(outDir, 'code-server.log'), 'w');
  const trust = options.trusted === false ? [] : ['--disable-workspace-trust'];
  const fixed = [
    '--auth',
    'none',
    '--bind-addr',
    `127.0.0.1:${port}`,
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
  ];
  const child = spawn(program.node, [program.entry, ...fixed, ...dirs, ...trust, folder], {
    env,
    stdio: ['ignore', log, log],
  });
  closeSync(log);

  const stop = async (): Promise<void> => {
    process.off('exit', killNow);
    await killAll(processesMarked(mark));
    if (existsSync(join(data, 'logs'))) {
      cpSync(join(data, 'logs'), join(outDir, 'logs'), { recursive: true });
    }
    rmSync(home, { recursive: true, force: true });
  };
  const killNow = (): void => {
    for (const { pid } of processesMarked(mark)) process.kill(pid, 'SIGKILL');
  };
  process.on('exit', killNow);

  try {
    await waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(`code-server ended with ${child.exitCode}`);
        return (await fetch(`${url}/healthz`)).ok;
      },
      { timeoutMs: 120_000, intervalMs: 100, what: `VS Code ${options.version} on ${url}` },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    version: options.version,
    url: `${url}/?folder=${encodeURIComponent(folder)}`,
    folder,
    outDir,
    changeSettings,
    processes: (fragment) =>
      processesMarked(mark).filter(({ args }) => args.some((arg) => arg.includes(fragment))),
    stop,
  };
}
