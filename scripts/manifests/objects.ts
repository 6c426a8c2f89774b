/** What the rules read of an object. The schemas have checked the rest. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels };
  spec?: {
    selector?: { matchLabels?: Labels } & Record<string, unknown>;
    template?: { metadata: { labels?: Labels }; spec: PodSpec };
    podSelector?: Selector;
    ingress?: { from?: Peer[]; ports?: PolicyPort[] }[];
    egress?: { to?: Peer[] }[];
    scaleTargetRef?: { kind: string; name: string };
    ports?: { targetPort?: string | number }[];
  };
  data?: Record<string, string>;
}

export type Labels = Record<string, string>;

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
}

interface PolicyPort {
  port: string | number;
}

export interface PodSpec {
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  containers: Container[];
  volumes?: { name: string; secret?: { secretName: string }; configMap?: { name: string } }[];
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value?: string }[];
  envFrom?: { configMapRef?: { name: string } }[];
  ports?: { name: string }[];
  resources?: { limits?: { memory?: string }; requests?: { cpu?: string; memory?: string } };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[]; add?: string[] };
  };
  readinessProbe?: object;
  livenessProbe?: object;
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
}

/** A workload with its pods. */
export interface Workload extends KubernetesObject {
  spec: NonNullable<KubernetesObject['spec']> & { template: { metadata: { labels: Labels }; spec: PodSpec } };
}

export function listWorkloads(objects: readonly KubernetesObject[]): Workload[] {
  return objects.filter((object): object is Workload => object.spec?.template !== undefined);
}
