/** What the documents show of manifests and query files, as the demo cluster answers. */
import { it } from 'vitest';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import type { Workbench } from './support/workbench';

const manifest = `apiVersion: v1
kind: Service
metadata:
  name: nginx
  namespace: checkout-prod
spec:
  selector:
    app: nginx
    tier: rare
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: nginx
  namespace: checkout-prod
spec:
  selector:
    matchExpressions:
      - { key: app, operator: IN, values: [nginx] }
      - { key: tier, operator: Exists }
  template:
    metadata:
      labels:
        app: nginx
        tier: 1
`;

const queries = `# @name first
list pods -l app=nginx --limit=100

### The next page
list pods -l app=nginx --limit=100 --continue={{first.continue}}

### Out of an audit log
GET /api/v1/pods?labelSelector=app%3Dnginx%2Ctier%20in%20(web%2Crare)&limit=100
`;

const files = { 'nginx.yaml': manifest, 'nginx.etcdlist': queries };
// Its strip would stand over the ends of long lines.
const settings = { 'editor.minimap.enabled': false };
const slow = { timeout: 60_000 };

/** Nothing but the editors. */
async function alone(code: Workbench): Promise<void> {
  await code.palette('View: Toggle Primary Side Bar Visibility');
  await code.palette('Notifications: Clear All Notifications');
}

describeVSCode([newestVSCode], { name: 'pictures', files, settings }, (workbench) => {
  it('of a manifest: errors, counts and a selector in words', async () => {
    const code = workbench();
    await code.palette('etcd LIST: Connect to the demo cluster');
    await code.statusBarItem(/etcd demo/).waitFor(slow);
    await code.openFile('nginx.yaml');
    await alone(code);
    await code.page.locator('.squiggly-error').first().waitFor(slow);
    const lenses = code.page.locator('.codelens-decoration', { hasText: /matches/ });
    await lenses.first().waitFor(slow);
    await code.hoverOver('IN', /not a valid selector operator/);
    await code.screenshot('manifest');
  });

  it('of a query file: what can be done with each query, and what its last run cost', async () => {
    const code = workbench();
    await code.openFile('nginx.etcdlist');
    const run = code.page.locator('.codelens-decoration a').filter({ hasText: /^Run$/ });
    await run.first().click(slow);
    const receipt = code.page.locator('.codelens-decoration', { hasText: /100 returned/ });
    await receipt.first().waitFor(slow);
    await code.page
      .locator('.codelens-decoration', { hasText: 'Compare ways' })
      .first()
      .waitFor(slow);
    await code.screenshot('query file');
  });
});
