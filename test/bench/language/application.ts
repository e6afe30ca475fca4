/** What one application brings into a cluster, as people write it: the same for the same number. */

interface Named {
  readonly name: string;
  readonly namespace: string;
  readonly product: string;
}

const products = ['billing', 'checkout', 'identity', 'media', 'search'];
const parts = ['api', 'web', 'worker', 'gateway'];

function named(i: number): Named {
  const product = products[i % products.length] ?? '';
  const name = `${product}-${parts[i % parts.length] ?? ''}-${String(i).padStart(5, '0')}`;
  return { name, namespace: `${product}-prod`, product };
}

const head = (apiVersion: string, kind: string, { name, namespace, product }: Named): string =>
  `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    app: ${name}
    app.kubernetes.io/part-of: ${product}
    team: team-${product}
`;

/** Its digit means nothing to anybody, so that a keystroke there can be repeated. */
export const changing = '    example.com/changed-by: "0"';

const deployment = (app: Named): string =>
  `${head('apps/v1', 'Deployment', app)}  annotations:
${changing}
spec:
  replicas: 3
  revisionHistoryLimit: 5
  selector:
    matchLabels:
      app: ${app.name}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app: ${app.name}
        app.kubernetes.io/part-of: ${app.product}
        team: team-${app.product}
        tier: backend
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9090"
    spec:
      serviceAccountName: ${app.name}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
      containers:
        - name: main
          image: registry.example.com/${app.product}/${app.name}:1.4.2
          imagePullPolicy: IfNotPresent
          ports:
            - name: http
              containerPort: 8080
              protocol: TCP
            - name: metrics
              containerPort: 9090
          env:
            - name: LOG_LEVEL
              value: info # debug floods the collector
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: DATABASE_URL
              valueFrom:
                secretKeyRef:
                  name: ${app.name}
                  key: url
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
            periodSeconds: 5
          livenessProbe:
            httpGet:
              path: /livez
              port: http
            initialDelaySeconds: 15
          volumeMounts:
            - name: config
              mountPath: /etc/${app.name}
              readOnly: true
      nodeSelector:
        kubernetes.io/os: linux
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector:
                  matchExpressions:
                    - key: app
                      operator: In
                      values:
                        - ${app.name}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: ${app.name}
      volumes:
        - name: config
          configMap:
            name: ${app.name}
`;

const service = (app: Named): string =>
  `${head('v1', 'Service', app)}spec:
  type: ClusterIP
  selector:
    app: ${app.name}
  ports:
    - name: http
      port: 80
      targetPort: http
`;

const networkPolicy = (app: Named): string =>
  `${head('networking.k8s.io/v1', 'NetworkPolicy', app)}spec:
  podSelector:
    matchLabels:
      app: ${app.name}
  policyTypes:
    - Ingress
    - Egress
  ingress:
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: ingress
          podSelector:
            matchExpressions:
              - key: tier
                operator: In
                values: [frontend, backend]
      ports:
        - protocol: TCP
          port: 8080
  egress:
    - to:
        - namespaceSelector: {}
          podSelector:
            matchLabels: { k8s-app: kube-dns }
`;

const disruptionBudget = (app: Named): string =>
  `${head('policy/v1', 'PodDisruptionBudget', app)}spec:
  minAvailable: 2
  selector:
    matchLabels:
      app: ${app.name}
`;

const autoscaler = (app: Named): string =>
  `${head('autoscaling/v2', 'HorizontalPodAutoscaler', app)}spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ${app.name}
  minReplicas: 3
  maxReplicas: 12
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70
`;

const configMap = (app: Named): string =>
  `${head('v1', 'ConfigMap', app)}data:
  application.yaml: |
    server:
      port: 8080
      shutdown: graceful
    pool:
      size: 16
      timeout: 2s
    features:
      - name: fast-path
        enabled: true
  banner.txt: "welcome to ${app.name}"
`;

const ingress = (app: Named): string =>
  `${head('networking.k8s.io/v1', 'Ingress', app)}spec:
  ingressClassName: nginx
  rules:
    - host: ${app.name}.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: ${app.name}
                port:
                  name: http
`;

const cronJob = (app: Named): string =>
  `${head('batch/v1', 'CronJob', app)}spec:
  schedule: "17 3 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        metadata:
          labels:
            job: ${app.name}-cleanup
        spec:
          restartPolicy: OnFailure
          containers:
            - name: cleanup
              image: registry.example.com/${app.product}/cleanup:2.0.1
              args: ["--older-than", "30d"]
`;

const account = (app: Named): string => head('v1', 'ServiceAccount', app);

/** Its documents, without marks between them. */
export function documentsOf(i: number): string[] {
  const app = named(i);
  const rare = i % 3 === 0 ? [cronJob(app)] : [];
  return [
    ...[deployment, service, networkPolicy, disruptionBudget, autoscaler].map((make) => make(app)),
    ...[configMap, ingress, account].map((make) => make(app)),
    ...rare,
  ];
}
