import { describe, expect, it } from '@jest/globals';
import { unrestricted, withoutService } from './rules.mjs';

const ingress = (name) => ({
  kind: 'Ingress',
  metadata: { name: 'w' },
  spec: { rules: [{ http: { paths: [{ backend: { service: { name } } }] } }] },
});
const route = (name) => ({
  kind: 'HTTPRoute',
  metadata: { name: 'w' },
  spec: { rules: [{ backendRefs: [{ name }] }] },
});
const service = { kind: 'Service', metadata: { name: 'w-gateway' }, spec: {} };

describe('backends', () => {
  it.each([ingress, route])('lead to a Service beside them', (kind) => {
    expect(withoutService([service, kind('w-gateway')])).toEqual([]);
    expect(withoutService([service, kind('x-gateway')])).toEqual([expect.stringContaining('leads to x-gateway')]);
  });
});

const SAFE = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
const POD = {
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [{ name: 'c', securityContext: SAFE }],
};
const job = (spec) => ({ kind: 'Job', metadata: { name: 'w' }, spec: { template: { spec } } });
const container = (change) => ({ ...POD, containers: [{ name: 'c', securityContext: SAFE, ...change }] });

describe('pods', () => {
  it('are safe as the chart makes them, in any kind', () => {
    expect(unrestricted([service, job(POD), { kind: 'Pod', metadata: { name: 'w' }, spec: POD }])).toEqual([]);
  });

  it.each([
    ['hostNetwork is on', { ...POD, hostNetwork: true }],
    ['volume v is of a type that is not allowed', { ...POD, volumes: [{ name: 'v', hostPath: { path: '/' } }] }],
    ['gets a token of the cluster', { ...POD, automountServiceAccountToken: undefined }],
    ['sysctls are set', { ...POD, securityContext: { ...POD.securityContext, sysctls: [{}] } }],
    ['container c is privileged', container({ securityContext: { ...SAFE, privileged: true } })],
    ['container c may gain privileges', container({ securityContext: { ...SAFE, allowPrivilegeEscalation: true } })],
    ['container c keeps capabilities', container({ securityContext: { ...SAFE, capabilities: {} } })],
    ['container c may run as root', container({ securityContext: { ...SAFE, runAsUser: 0 } })],
    ['container c may run as root', { ...POD, securityContext: { ...POD.securityContext, runAsNonRoot: undefined } }],
    ['container c has no seccomp profile', { ...POD, securityContext: { runAsNonRoot: true } }],
    ['container c can change its files', container({ securityContext: { ...SAFE, readOnlyRootFilesystem: false } })],
    ['container c takes a port of the node', container({ ports: [{ hostPort: 80 }] })],
    [
      'container i may gain privileges',
      { ...POD, initContainers: [{ name: 'i', securityContext: { ...SAFE, allowPrivilegeEscalation: undefined } }] },
    ],
  ])('are refused if one %s', (fault, pod) => {
    expect(unrestricted([job(pod)])).toEqual([`Job w: ${fault}`]);
  });
});
