import {
  listWorkloads,
  type Container,
  type KubernetesObject,
  type Labels,
  type PodSpec,
  type Selector,
  type Workload,
} from './objects.ts';

/** What an overlay breaks: rights of pods, and references that match nothing. */
export function findBrokenRules(objects: readonly KubernetesObject[]): string[] {
  const workloads = listWorkloads(objects);
  const pods = workloads.map(({ spec }) => spec.template.metadata.labels);
  return [
    ...workloads.flatMap(findPodProblems),
    ...objects.flatMap((object) => findReferenceProblems(object, workloads, pods)),
    ...findUnprotected(objects, pods),
    ...findSharedOwner(workloads),
  ];
}

function findPodProblems({ kind, metadata, spec }: Workload): string[] {
  const pod = spec.template.spec;
  const rules: [boolean, string][] = [
    [pod.automountServiceAccountToken === false, 'has a token of Kubernetes'],
    [pod.enableServiceLinks === false, 'has variables of services'],
    [
      pod.securityContext?.runAsNonRoot === true && (pod.securityContext.runAsUser ?? 0) > 0,
      'may run as root',
    ],
    [pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no filter of system calls'],
    [
      spec.selector === undefined || matches(spec.selector, spec.template.metadata.labels),
      'does not select its pods',
    ],
  ];
  const problems = rules.filter(([isKept]) => !isKept).map(([, text]) => text);
  for (const container of pod.containers) problems.push(...findContainerProblems(container, pod, kind));
  return problems.map((text) => `${kind} ${metadata.name} ${text}`);
}

function findContainerProblems(container: Container, { volumes = [] }: PodSpec, kind: string): string[] {
  const { securityContext: rights, resources, volumeMounts = [] } = container;
  const hasProbes = container.readinessProbe !== undefined && container.livenessProbe !== undefined;
  const rules: [boolean, string][] = [
    [rights?.allowPrivilegeEscalation === false, 'may gain privileges'],
    [rights?.readOnlyRootFilesystem === true, 'can write its root file system'],
    [rights?.capabilities?.drop?.includes('ALL') === true && !rights.capabilities.add, 'has capabilities'],
    [resources?.limits?.memory !== undefined, 'has no limit of memory'],
    [
      resources?.requests?.cpu !== undefined && resources.requests.memory !== undefined,
      'requests no resources',
    ],
    [hasProbes || kind === 'Job', 'has no probes'],
    [
      volumeMounts.every(({ name }) => volumes.some((volume) => volume.name === name) || name === 'data'),
      'mounts a volume that does not exist',
    ],
    [
      /:[\w.-]+$/.test(container.image) && !container.image.endsWith(':latest'),
      'has no version of its image',
    ],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, text]) => text);
}

function findReferenceProblems(
  object: KubernetesObject,
  workloads: readonly Workload[],
  pods: readonly Labels[],
): string[] {
  const { kind, metadata, spec } = object;
  const selectors: (Selector | undefined)[] = [];
  if (kind === 'Service') selectors.push({ matchLabels: spec?.selector as Labels });
  if (kind === 'PodDisruptionBudget') selectors.push(spec?.selector);
  if (kind === 'NetworkPolicy') {
    selectors.push(spec?.podSelector);
    const peers = [
      ...(spec?.ingress ?? []).flatMap(({ from = [] }) => from),
      ...(spec?.egress ?? []).flatMap(({ to = [] }) => to),
    ];
    selectors.push(...peers.filter((peer) => !peer.namespaceSelector).map(({ podSelector }) => podSelector));
  }
  const problems = selectors
    .filter((selector) => selector && !pods.some((labels) => matches(selector, labels)))
    .map((selector) => `${kind} ${metadata.name} selects no pod: ${JSON.stringify(selector)}`);
  const target = spec?.scaleTargetRef;
  if (
    target &&
    !workloads.some((workload) => workload.kind === target.kind && workload.metadata.name === target.name)
  )
    problems.push(`${kind} ${metadata.name} scales ${target.name}, which does not exist`);
  const containers = workloads.flatMap((workload) => workload.spec.template.spec.containers);
  const names = new Set(containers.flatMap(({ ports = [] }) => ports).map(({ name }) => name));
  const used = [
    ...(kind === 'Service' ? (spec?.ports ?? []).map(({ targetPort }) => targetPort) : []),
    ...(kind === 'NetworkPolicy'
      ? (spec?.ingress ?? []).flatMap(({ ports = [] }) => ports).map(({ port }) => port)
      : []),
  ];
  for (const port of used)
    if (typeof port === 'string' && !names.has(port))
      problems.push(`${kind} ${metadata.name} has an unknown port ${port}`);
  return problems;
}

/** Pods that could reach everything, because no policy selects them. */
function findUnprotected(objects: readonly KubernetesObject[], pods: readonly Labels[]): string[] {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const deny = policies.find(
    ({ spec }) => !spec?.ingress && !spec?.egress && Object.keys(spec?.podSelector ?? {}).length === 0,
  );
  return deny ? [] : pods.map((labels) => `no policy denies traffic of ${JSON.stringify(labels)}`);
}

/** Only the migration may have the password of the owner. */
function findSharedOwner(workloads: readonly Workload[]): string[] {
  return workloads
    .filter(
      ({ kind, spec }) =>
        kind !== 'Job' &&
        (spec.template.spec.volumes ?? []).some(({ secret }) => secret?.secretName === 'tributary-owner'),
    )
    .map(({ metadata }) => `${metadata.name} has the password of the owner`);
}

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ''))
  );
}
