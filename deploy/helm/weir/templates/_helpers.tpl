{{/*
Each process: its app, entry point, broker user, schema, and the other keys of the Secret that it may see. `internet` marks
processes that call user-configured addresses.
*/}}
{{- define "weir.processes" -}}
gateway: { app: gateway, entry: main, user: gateway, schema: gateway, http: true, secrets: [WEIR_ENCRYPTION_KEY, SERVICE_ADMIN_USER, SERVICE_ADMIN_PASSWORD, BOOTSTRAP_EMAIL, BOOTSTRAP_ACCESS_TOKEN] }
{{- if .Values.separatePlanes }}
gateway-data: { app: gateway, entry: main, user: gateway, schema: gateway, http: true, secrets: [WEIR_ENCRYPTION_KEY, SERVICE_ADMIN_USER, SERVICE_ADMIN_PASSWORD] }
{{- end }}
registry: { app: transformation-registry, entry: main, user: registry, schema: registry }
regulation: { app: regulation-service, entry: main, user: regulation, schema: regulation, secrets: [REGULATION_PEPPER] }
filter: { app: regulation-service, entry: filter, user: filter, schema: regulation, secrets: [REGULATION_PEPPER] }
eraser: { app: regulation-service, entry: eraser, user: eraser, schema: regulation, secrets: [REGULATION_PEPPER, WEIR_ENCRYPTION_KEY], internet: true }
runner: { app: test-runner, entry: main, user: runner, schema: runner, secrets: [WEIR_ENCRYPTION_KEY], internet: true }
delivery: { app: delivery-service, entry: main, user: delivery, schema: delivery }
deliverer: { app: delivery-service, entry: deliverer, user: deliverer, schema: delivery, secrets: [WEIR_ENCRYPTION_KEY], internet: true }
fetcher: { app: delivery-service, entry: fetcher, user: fetcher, internet: true }
{{- if .Values.archive.enabled }}
archiver: { app: delivery-service, entry: archiver, user: archiver, schema: delivery, secrets: [ARCHIVE_ACCESS_KEY_ID, ARCHIVE_SECRET_ACCESS_KEY], internet: true }
{{- end }}
schemas: { app: schema-service, entry: main, user: schemas, schema: schemas, secrets: [SCHEMA_PEPPER] }
collector: { app: schema-service, entry: collector, user: collector, schema: schemas, secrets: [SCHEMA_PEPPER] }
sandbox: { app: code-sandbox, entry: main, user: sandbox }
{{- end -}}

{{/* Services with a role and a schema of their own in PostgreSQL. */}}
{{- define "weir.databaseServices" -}}
[gateway, registry, regulation, runner, delivery, schemas]
{{- end -}}

{{/*
Prefix of every name. Kubernetes takes names of up to 63 characters, and the longest suffix has 28 (-migrate-regulation- and
a hash). A longer prefix is refused, because a cut one might belong to another release.
*/}}
{{- define "weir.fullname" -}}
{{- $name := .Values.fullnameOverride | default .Release.Name -}}
{{- if gt (len $name) 34 -}}
{{- fail (printf "%s has %d characters, and names of objects begin with it: set fullnameOverride to at most 34." $name (len $name)) -}}
{{- end -}}
{{ $name }}
{{- end -}}

{{- define "weir.name" -}}
{{ .Values.nameOverride | default "weir" }}
{{- end -}}

{{- define "weir.labels" -}}
app.kubernetes.io/name: {{ include "weir.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Labels of all objects in the release. */}}
{{- define "weir.instance" -}}
app.kubernetes.io/name: {{ include "weir.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "weir.selector" -}}
{{ include "weir.instance" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* Labels of an object of one component. */}}
{{- define "weir.componentLabels" -}}
{{ include "weir.labels" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* No default, because whoever registered it could run code in every trial. */}}
{{- define "weir.image" -}}
{{- $image := .root.Values.image -}}
{{- if not $image.registry -}}
{{- fail "image.registry is empty, so there are no images. The released chart (oci://) names its own. With a checkout, build them with tools/build-images.sh, load or push them, and set image.registry (localhost/weir for what it builds)." -}}
{{- end -}}
{{- $registry := printf "%s/%s" .root.Values.global.imageRegistry $image.registry | trimPrefix "/" -}}
{{- with get $image.digests .app -}}
{{ $registry }}/{{ $.app }}@{{ . }}
{{- else -}}
{{ $registry }}/{{ .app }}:{{ get $image.tags .app | default $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "weir.imagePullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where pods may run, and which go first: dict root, settings. What a process says replaces the setting of all. */}}
{{- define "weir.placement" -}}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $.settings $key | default (get $.root.Values $key) }}
{{ $key }}: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "weir.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "weir.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Addresses that user-configured requests never reach: the operator's, and those of this chart's servers. */}}
{{- define "weir.egressRefuse" -}}
{{- $own := list -}}
{{- if eq .Values.postgresql.mode "cnpg" }}{{ $own = append $own (printf "%s-postgres-rw:5432" (include "weir.fullname" .)) }}{{ end -}}
{{- if include "weir.hasPooler" . }}{{ $own = append $own (printf "%s-postgres-pooler:5432" (include "weir.fullname" .)) }}{{ end -}}
{{- if eq .Values.postgresql.mode "embedded" }}{{ $own = append $own (printf "%s-postgres:5432" (include "weir.fullname" .)) }}{{ end -}}
{{- if eq .Values.nats.mode "embedded" }}{{ $own = append $own (printf "%s-nats:4222" (include "weir.fullname" .)) }}{{ end -}}
{{- with .Values.egressRefuse }}{{ $own = append $own . }}{{ end -}}
{{ join "," $own }}
{{- end -}}

{{/* Broker users: one per process, and one for the migrations. */}}
{{- define "weir.natsUsers" -}}
[migrate, gateway, registry, regulation, filter, eraser, runner, delivery, deliverer, fetcher, {{ if .Values.archive.enabled }}archiver, {{ end }}schemas, collector, sandbox]
{{- end -}}

{{/* Users of the chart's broker, with their permissions. */}}
{{- define "weir.natsUsersFile" -}}
{{ .Files.Get (.Values.archive.enabled | ternary "files/nats-users-archive.conf" "files/nats-users.conf") }}
{{- end -}}

{{/* Private ranges that a process may call: dict root, name. The archiver calls its store alone. */}}
{{- define "weir.egressAllowCidrs" -}}
{{ eq .name "archiver" | ternary .root.Values.archive.egressAllowCidrs .root.Values.egressAllowCidrs }}
{{- end -}}

{{/* Keys of the Secret with their passwords. Only the chart's broker gets them. */}}
{{- define "weir.natsPasswordKeys" -}}
{{- range include "weir.natsUsers" . | fromYamlArray }}
- {{ upper . }}_NATS_PASSWORD
{{- end }}
{{- end -}}
