{{/* Pod settings of a process, apart from its container. */}}
{{- define "weir.podSpec" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with include "weir.serviceAccountName" . }}
serviceAccountName: {{ . }}
{{- end }}
terminationGracePeriodSeconds: {{ add .root.Values.preStopSeconds 25 }}
securityContext: {{ include "weir.podSecurity" . | nindent 2 }}
{{- include "weir.imagePullSecrets" .root }}
{{- with .settings.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- include "weir.placement" . }}
{{- include "weir.spread" . }}
volumes:
  - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
{{- with .root.Values.caSecret }}
  - { name: ca, secret: { secretName: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] } }
{{- end }}
{{- if eq .name "sandbox" }}
  - { name: nats-url, secret: { secretName: {{ .root.Values.existingSecret }}, defaultMode: 0440, items: [{ key: SANDBOX_NATS_URL, path: nats-url }] } }
  - { name: socket, emptyDir: { medium: Memory, sizeLimit: 1Mi } }
  - { name: children-tmp, emptyDir: { sizeLimit: 64Mi } }
{{- end }}
{{- with .root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* How the pods of a process spread: dict root, name. A constraint without a selector would count no pods. */}}
{{- define "weir.spread" -}}
{{- $own := dict "labelSelector" (dict "matchLabels" (include "weir.selector" . | fromYaml)) -}}
{{- $constraints := .root.Values.topologySpreadConstraints -}}
{{- if and .root.Values.topologySpread (not $constraints) -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" -}}
{{- $constraints = append $constraints (dict "maxSkew" 1 "topologyKey" . "whenUnsatisfiable" "ScheduleAnyway") -}}
{{- end -}}
{{- end -}}
{{- with $constraints }}
topologySpreadConstraints:
{{- range . }}
  - {{ hasKey . "labelSelector" | ternary . (merge (deepCopy .) $own) | toJson }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
The ServiceAccount of a pod: dict root, name. Migrations may run before the chart's own one exists, so they use it only if it
is yours.
*/}}
{{- define "weir.serviceAccountName" -}}
{{- $account := .root.Values.serviceAccount -}}
{{- if not (and $account.create (eq .name "migrate")) -}}
{{ $account.name | default ($account.create | ternary (include "weir.fullname" .root) "") }}
{{- end -}}
{{- end -}}

{{/* The container of a process, without its name. */}}
{{- define "weir.container" -}}
image: {{ include "weir.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- if eq .name "sandbox" }}
# The broker's URL comes on a descriptor. Children of the sandbox inherit neither the descriptor nor the environment.
# Batches pass it as buffers, which frequent small collections free before V8 collects the whole heap for them.
command: [sh, -c, 'exec node --max-semi-space-size=2 dist/{{ .process.entry }}.js 3</run/weir/nats-url']
{{- else }}
# A small young generation frees the buffers of batches soon. The default takes 150 MB more of a filter that catches up.
command: [node, --max-semi-space-size=8, dist/{{ .process.entry }}.js]
{{- end }}
env:
  {{- include "weir.env" . | nindent 2 }}
{{- if and .root.Values.extraEnvFrom (ne .name "sandbox") }}
# Not for the sandbox, which runs user code and gets nothing that it does not need.
envFrom: {{ toYaml .root.Values.extraEnvFrom | nindent 2 }}
{{- end }}
ports:
  {{- if .process.http }}
  - { name: http, containerPort: 8080 }
  - { name: private, containerPort: 8081 }
  {{- end }}
  - { name: ops, containerPort: 9090 }
{{- $probed := default false .process.http | ternary "http" "ops" }}
startupProbe: { httpGet: { path: /livez, port: {{ $probed }} }, periodSeconds: 2, failureThreshold: 30 }
livenessProbe: { httpGet: { path: /livez, port: {{ $probed }} }, periodSeconds: 10, timeoutSeconds: 3 }
{{- /* All gateways lose database and broker at once. Unready because of that, none would take the events that can still be stored. */}}
readinessProbe: { httpGet: { path: {{ eq $probed "http" | ternary "/servez" "/readyz" }}, port: {{ $probed }} }, periodSeconds: 5, timeoutSeconds: 3 }
{{- if .root.Values.preStopSeconds }}
lifecycle: { preStop: { exec: { command: [sleep, {{ .root.Values.preStopSeconds | quote }}] } } }
{{- end }}
{{- with .settings.resources }}
resources: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ include "weir.containerSecurity" . | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- if .root.Values.caSecret }}
  - { name: ca, mountPath: /etc/weir/ca, readOnly: true }
{{- end }}
{{- if eq .name "sandbox" }}
  - { name: nats-url, mountPath: /run/weir, readOnly: true }
  - { name: socket, mountPath: /run/sandbox }
{{- end }}
{{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The pod that migrates one schema. */}}
{{- define "weir.migrationPod" -}}
metadata:
  labels: {{ include "weir.componentLabels" . | nindent 4 }}
spec:
  {{- include "weir.podSpec" . | nindent 2 }}
  # A pod that failed stays, with the log that says why.
  restartPolicy: Never
  containers:
    - name: migrate
      image: {{ include "weir.image" . }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      command: [node, dist/migrate.js]
      env:
        {{- include "weir.connections" . | nindent 8 }}
        {{- include "weir.secretVariable" (dict "root" .root "name" "NATS_URL" "key" "MIGRATE_NATS_URL") | nindent 8 }}
        - { name: STREAM_REPLICAS, value: {{ .root.Values.nats.streamReplicas | quote }} }
        - { name: STREAM_BYTES_MAX, value: {{ .root.Values.nats.streamBytesMax | int64 | quote }} }
        {{- if .root.Values.archive.enabled }}
        {{- include "weir.archiveBucket" .root | nindent 8 }}
        {{- end }}
      resources: { requests: { cpu: 50m, memory: 128Mi }, limits: { memory: 512Mi } }
      securityContext: {{ include "weir.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if .root.Values.caSecret }}
        - { name: ca, mountPath: /etc/weir/ca, readOnly: true }
        {{- end }}
{{- end -}}

{{/*
The container that runs user code. It shares only the pod's network with its supervisor. It has another user, no
credentials, its own memory limit, and the folder of their socket read-only.
*/}}
{{- define "weir.childrenContainer" -}}
image: {{ include "weir.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: [node, dist/children.js, /run/sandbox/children.sock]
{{- with .settings.childrenResources }}
resources: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ merge (dict "runAsUser" 1001 "runAsGroup" 1001) (include "weir.containerSecurity" . | fromYaml) | toYaml | nindent 2 }}
volumeMounts:
  - { name: children-tmp, mountPath: /tmp }
  - { name: socket, mountPath: /run/sandbox, readOnly: true }
{{- end -}}
