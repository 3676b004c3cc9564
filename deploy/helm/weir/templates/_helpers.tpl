{{/* What each process is: its app, its entry point, and which keys of the Secret it may see, and nothing more. */}}
{{- define "weir.processes" -}}
gateway: { app: gateway, entry: main, env: [DATABASE_URL, NATS_URL, WEIR_ENCRYPTION_KEY, SERVICE_ADMIN_USER, SERVICE_ADMIN_PASSWORD, BOOTSTRAP_EMAIL, BOOTSTRAP_ACCESS_TOKEN], schema: GATEWAY }
registry: { app: transformation-registry, entry: main, env: [DATABASE_URL, NATS_URL], schema: REGISTRY }
regulation: { app: regulation-service, entry: main, env: [DATABASE_URL, NATS_URL, REGULATION_PEPPER], optional: [REGULATION_RECEIPT_KEY, REGULATION_RECEIPT_RETIRED_KEYS], schema: REGULATION }
filter: { app: regulation-service, entry: filter, env: [DATABASE_URL, NATS_URL, REGULATION_PEPPER], schema: REGULATION }
eraser: { app: regulation-service, entry: eraser, env: [DATABASE_URL, NATS_URL, REGULATION_PEPPER, WEIR_ENCRYPTION_KEY], schema: REGULATION, egress: true }
runner: { app: test-runner, entry: main, env: [DATABASE_URL, NATS_URL, WEIR_ENCRYPTION_KEY], schema: RUNNER, egress: true }
deliverer: { app: test-runner, entry: deliverer, env: [DATABASE_URL, NATS_URL, WEIR_ENCRYPTION_KEY], schema: RUNNER, egress: true }
fetcher: { app: test-runner, entry: fetcher, env: [NATS_URL], egress: true }
schemas: { app: schema-service, entry: main, env: [DATABASE_URL, NATS_URL], schema: SCHEMAS }
collector: { app: schema-service, entry: collector, env: [DATABASE_URL, NATS_URL], schema: SCHEMAS }
sandbox: { app: code-sandbox, entry: main, env: [] }
{{- end -}}

{{- define "weir.labels" -}}
app.kubernetes.io/name: weir
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "weir.selector" -}}
app.kubernetes.io/name: weir
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "weir.image" -}}
{{ .root.Values.image.registry }}/{{ .app }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* Environment of one process, every credential from the existing Secret. */}}
{{- define "weir.env" -}}
{{- $secret := .root.Values.existingSecret -}}
- name: LOG_LEVEL
  value: {{ .root.Values.logLevel }}
{{- $schema := .process.schema }}
{{- range .process.env }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ if eq . "DATABASE_URL" }}{{ $schema }}_DATABASE_URL{{ else }}{{ . }}{{ end }}
{{- end }}
{{- range .process.optional }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true }
{{- end }}
{{- if .process.egress }}
- name: EGRESS_ALLOW_CIDRS
  value: {{ .root.Values.egressAllowCidrs | quote }}
- name: EGRESS_REFUSE
  value: {{ .root.Values.egressRefuse | quote }}
{{- end }}
{{- end -}}

{{- define "weir.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end -}}
