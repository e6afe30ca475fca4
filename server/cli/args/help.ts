/** What `--help` says beyond the flags. */

export const programHelp = `
Examples:
  etcd-list get pods -l app=nginx --limit=100      one LIST, with its cost
  etcd-list token decode eyJ2IjoibWV0YS5rOHMuaW8…  what a continue token says
  etcd-list lint manifests                         selectors that cannot be meant
  etcd-list run incident.etcdlist                  the queries of a file
  etcd-list explain pods -l app=nginx              which way an API server would serve it
  etcd-list compare pods -l app=nginx --limit=100  the same list in several ways, side by side
  etcd-list metrics scrape.txt                     which lists hurt, from an API server's /metrics
  etcd-list demo -- get pods -l app=nginx          a LIST against an embedded etcd

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 expired (410 Gone), 130 interrupted.
Rows go to standard output, everything else to standard error. etcd is only ever read.`;

export const getHelp = `
Examples:
  etcd-list get pods                                 all pods, in pages of 500
  etcd-list get pods -n web -l 'tier in (web,api)'   one namespace, filtered
  etcd-list get pods -l app=nginx --limit=100        one LIST; prints its continue token
  etcd-list get pods --limit=100 --follow            the same, through all tokens
  etcd-list get pods --limit=100 --continue=TOKEN    the page a token stands for
  etcd-list get pods web-1 -n web -o yaml            one object
  etcd-list get widgets.example.com                  custom resources
  etcd-list get /registry/masterleases/              any prefix, Kubernetes or not
  etcd-list get pods --chunk-size=0 --receipt=json   one unlimited read, its cost as JSON lines
  etcd-list get pods --field-selector spec.nodeName=node-1 -o name | head
  etcd-list get pods --limit=1 --resource-version=0 --serve-from=watch-cache
                                                     what an API server's cache answers
  etcd-list get pods -l app=nginx --limit=100 --explain   the estimate, and how it held

Without -n all namespaces are listed: etcd has no current namespace. A single object of a
namespaced resource needs -n. AGE counts from now; SIZE is the stored value in bytes;
REVISION is the object's resourceVersion.
--stream auto streams where the API server would: a list without a limit, or without a
selector. off is the gate off; on asks again although this etcd refused, and falls back with a
notice; force fails where this etcd has no RangeStream. None of them streams a page that has both
a limit and a selector: on and force say so and read pages. --chunk-size=0 has no limit.
--serve-from=watch-cache reads the whole resource into memory first, follows its changes while it
lists, and lets go of it then. It is counted before, and refused beyond --watch-cache-limit.
Values of Secrets are masked unless --show-secrets is given.`;

export const tokenHelp = `
Examples:
  etcd-list token decode TOKEN --prefix /registry/pods/
  etcd-list token check TOKEN && echo usable
  etcd-list token encode --rv 84213 --start web/nginx-1`;

export const tokenDecodeHelp = `
Example:
  etcd-list token decode TOKEN --prefix /registry/pods/

Prints the token's JSON as it stands, its revision and its start key; nothing is read from etcd.`;

export const tokenCheckHelp = `
Example:
  etcd-list token check TOKEN --prefix /registry/pods/

Exit code 0 when the API server would take the token, 1 with the API server's own error text.`;

export const tokenEncodeHelp = `
Examples:
  etcd-list token encode --rv 84213 --start web/nginx-1
  etcd-list token encode --rv -1 --key /registry/pods/web/nginx-1 --prefix /registry/pods/

--start is the first key that will be read, below the prefix. --key is the last key that was
read: the token starts right after it, as the API server writes it. --rv -1 is the latest.`;

export const probeHelp = `
Example:
  etcd-list probe --endpoints 10.0.0.5:2379 --cacert ca.pem --cert client.pem --key client-key.pem

Asks every endpoint for its version and tries RangeStream on one key, keys only. A version number
is no proof, so the answer is one of supported, not supported, or unknown with the reason.`;

export const resourcesHelp = `
Example:
  etcd-list resources --endpoints 10.0.0.5:2379

Names are found by a handful of keys-only reads of one key each, not by a scan; each is then
counted by one count-only read. No value is read but the definitions of custom resources.`;

export const lintHelp = `
Examples:
  etcd-list lint deployment.yaml                  one manifest
  etcd-list lint manifests queries.etcdlist       all .yaml, .yml, .json and .etcdlist below, and one file
  kubectl get deploy -o yaml | etcd-list lint -   standard input
  etcd-list lint -o sarif manifests > lint.sarif  for a code host

Finds selectors and labels that Kubernetes would refuse, in its own words, and those that cannot
match. Looks at nothing else, asks no etcd and no API server. Text that a template fills in
({{ … }}, \${…}) is left in peace. Exit code 1 when there is an error, or a file that cannot be
read; 2 when a path that is given is not there; else 0, whatever else is found.`;

export const runHelp = `
Examples:
  etcd-list run incident.etcdlist                    all queries of the file, in order
  etcd-list run incident.etcdlist page1 page2        these, and those whose tokens they take
  etcd-list run incident.etcdlist --keep-going       also those after one that fails
  etcd-list run audit.etcdlist.yaml -o json          one JSON array, an object for each query
  etcd-list demo -- run incident.etcdlist            against an embedded etcd
  echo 'kubectl get pods -A' | etcd-list run -       standard input

A block of a query file is a kubectl get, a GET with a path and a query string, or a list; blocks
are separated by ###. # @name gives a query its name, and {{name.continue}} is the token that the
query of this name ended with. A query is skipped when there is none. The file is checked first:
with an error in it, as lint finds them, nothing is run and the exit code is 2.
kubectl get reads to the end in pages of --chunk-size (500), GET and list make the one request
that they state. A query that fails ends the run; its exit code is the exit code.`;

export const explainHelp = `
Examples:
  etcd-list explain pods -l app=nginx --limit=100      the words of get
  etcd-list explain kubectl get pods -A -l app=nginx   its first request, and those after it
  etcd-list explain 'GET /api/v1/pods?resourceVersion=0&limit=500'
  etcd-list explain -o json list events -n web         flags of explain before the query
  etcd-list explain incident.etcdlist page1            a query of a file; - is standard input
  etcd-list explain pods --feature-gates=ListFromCacheSnapshot=false
  etcd-list explain pods --limit=500 --kubernetes-version=1.30
  etcd-list explain pods -l app=nginx --limit=100 --keys 50000 --match-rate 1% --object-size 2KiB
  etcd-list explain pods -l app=nginx --limit=100 --measure

Tells step by step what an API server does with a list: whether its watch cache serves it or etcd,
in pages, as a stream or by one key, or who refuses it; each step with its rule and with upstream's
file at the version that is asked about. Gates have upstream's names and that version's defaults.
Where a step hangs on what is not known, both ways are told, the likely one first. No list is run.
With the number of keys, given or measured by a bounded sample, it estimates requests, keys, bytes
and memory of this way and of the others. Without --endpoints or ETCDCTL_ENDPOINTS no etcd is asked;
with them its members are asked for their versions, and once for RangeStream.`;

export const compareHelp = `
Examples:
  etcd-list compare pods -l app=nginx --limit=100              one LIST
  etcd-list compare pods -l app=nginx --limit=500 --to-the-end all of them, through the tokens
  etcd-list compare pods -l app=nginx --limit=100 --ways=pages,adaptive --repeat=5
  etcd-list compare pods -l app=nginx --limit=100 --yes -o json --receipt=json
  etcd-list demo -- compare pods -l app=nginx --limit=100 --yes

Reads one list several times at one revision and proves that every way gave the same objects:
  pages     the API server's: the limit first, then twice as many keys each time, up to 10,000
  stream    one RangeStream, left when the list is full; to the end one without a limit
  naive     every page as large as the limit
  adaptive  ours: the limit first, then as many keys as the share that matched so far asks for
The keys are counted and at most 500 of them read first, what each way would read is told, and
you are asked. Without a terminal --yes has to say it. An answer that differs is an error, with the
first object that does.`;
export const metricsHelp = `
Examples:
  kubectl get --raw /metrics > now.txt             of the API server that kubectl reaches
  etcd-list metrics now.txt                        all since that server started
  etcd-list metrics now.txt --since before.txt     what came between two scrapes
  etcd-list metrics a.txt b.txt --by-server        several API servers
  etcd-list metrics now.txt --sort=time --top=5 -o json

Reads Prometheus text or OpenMetrics of any size, of Kubernetes up to 1.33, 1.34 to 1.36, and from
1.37 on. Lists from etcd are ranked by what they fetch for each object that they return; lists from
the watch cache, which cost etcd nothing, stand in a table of their own. Counters begin anew with a
server, which is noticed. Rates need the times in the scrapes, or --interval. Nothing is asked of
any server. Exit code 1 when a file holds nothing about lists.`;

export const demoHelp = `
Examples:
  etcd-list demo                                            serves until Ctrl-C
  etcd-list demo --pods 20000 -- get pods -l app=nginx --limit=100
  etcd-list demo --no-range-stream -- probe

An etcd in this process, in memory, with a seeded cluster. With a command after -- the command
runs against it and the etcd ends with it.`;
