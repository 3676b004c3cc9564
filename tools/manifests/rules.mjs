/** Rules of rendered manifests that no schema knows. Each answers with sentences about what breaks it. */

/** Pods of the `restricted` level may use these and no other: https://kubernetes.io/docs/concepts/security/pod-security-standards */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const PROFILES = ['RuntimeDefault', 'Localhost'];

const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;

/** Every backend of an Ingress or an HTTPRoute is a Service beside it. */
export function withoutService(manifests) {
  const services = new Set(manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name));
  return manifests.flatMap((manifest) =>
    backendsOf(manifest)
      .filter((name) => !services.has(name))
      .map((name) => `${nameOf(manifest)} leads to ${name}, and no Service is called that`),
  );
}

function backendsOf({ kind, spec }) {
  if (kind === 'Ingress') {
    const paths = spec.rules.flatMap(({ http }) => http.paths);
    return [spec.defaultBackend, ...paths.map(({ backend }) => backend)]
      .filter(Boolean)
      .map(({ service }) => service.name);
  }
  if (kind === 'HTTPRoute') return spec.rules.flatMap(({ backendRefs }) => backendRefs.map(({ name }) => name));
  return [];
}

/** Every pod keeps the `restricted` level, gets no token of the cluster, and cannot change its files. */
export function unrestricted(manifests) {
  return manifests.flatMap((manifest) => {
    const pod = podOf(manifest);
    if (!pod) return [];
    const containers = [...(pod.initContainers ?? []), ...pod.containers];
    const found = [...podFaults(pod), ...containers.flatMap((one) => containerFaults(one, pod.securityContext ?? {}))];
    return found.map((fault) => `${nameOf(manifest)}: ${fault}`);
  });
}

/** The pods that a manifest makes, whatever kind it has. */
export function podOf({ kind, spec }) {
  if (kind === 'Pod') return spec;
  if (kind === 'CronJob') return spec.jobTemplate.spec.template.spec;
  return spec?.template?.spec?.containers && kind !== 'Pooler' ? spec.template.spec : undefined;
}

function podFaults(pod) {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((key) => pod[key]);
  const volumes = (pod.volumes ?? []).filter((volume) => !VOLUMES.some((type) => volume[type]));
  return [
    ...shared.map((key) => `${key} is on`),
    ...volumes.map(({ name }) => `volume ${name} is of a type that is not allowed`),
    ...(pod.securityContext?.sysctls?.length ? ['sysctls are set'] : []),
    ...(pod.automountServiceAccountToken === false ? [] : ['gets a token of the cluster']),
  ];
}

function containerFaults({ name, ports = [], securityContext: own = {} }, pod) {
  const { capabilities = {}, procMount = 'Default' } = own;
  const either = { ...pod, ...own };
  const checks = {
    'is privileged': !own.privileged,
    'may gain privileges': own.allowPrivilegeEscalation === false,
    'keeps capabilities': capabilities.drop?.includes('ALL'),
    'adds capabilities': (capabilities.add ?? []).every((capability) => capability === 'NET_BIND_SERVICE'),
    'may run as root': either.runAsNonRoot === true && either.runAsUser !== 0,
    'has no seccomp profile': PROFILES.includes(either.seccompProfile?.type),
    'sees more of /proc': procMount === 'Default',
    'takes a port of the node': ports.every(({ hostPort }) => !hostPort),
    'can change its files': own.readOnlyRootFilesystem === true,
  };
  return Object.keys(checks)
    .filter((fault) => !checks[fault])
    .map((fault) => `container ${name} ${fault}`);
}
