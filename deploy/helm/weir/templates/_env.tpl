{{/* One variable from the existing Secret: dict root, name, key. */}}
{{- define "weir.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: {{ .key }} } }
{{- end -}}

{{/* Environment that all processes and migrations share: URLs of database and broker. */}}
{{- define "weir.connections" -}}
- { name: NODE_ENV, value: production }
- { name: LOG_LEVEL, value: {{ .root.Values.logLevel }} }
{{- with .process.schema }}
{{ include "weir.secretVariable" (dict "root" $.root "name" "DATABASE_URL" "key" (printf "%s_DATABASE_URL" (upper .))) }}
- { name: DATABASE_DURABILITY, value: {{ include "weir.durability" $.root }} }
{{- end }}
{{- with .root.Values.caSecret }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/weir/ca/ca.crt }
{{- end }}
{{- end -}}

{{/* Says that there is an archive: to the process that starts replays, to the archiver, and to the migrations. */}}
{{- define "weir.archiveBucket" -}}
- { name: ARCHIVE_BUCKET, value: {{ required "archive.enabled needs archive.bucket" .Values.archive.bucket | quote }} }
{{- end -}}

{{/* Durability of the database. The chart's own cluster derives it from its instances, an external one from its setting. */}}
{{- define "weir.durability" -}}
{{- if eq .Values.postgresql.mode "cnpg" -}}
{{ gt (int .Values.postgresql.cnpg.instances) 1 | ternary "standby" "single" }}
{{- else -}}
{{ .Values.postgresql.durability }}
{{- end -}}
{{- end -}}

{{/* Environment of one process: dict root, name, process, settings. The sandbox reads its broker URL from a descriptor instead. */}}
{{- define "weir.env" -}}
{{ include "weir.connections" . }}
{{- if eq .name "sandbox" }}
- { name: NATS_CREDENTIALS_FD, value: "3" }
- { name: SANDBOX_CHILDREN_SOCKET, value: /run/sandbox/children.sock }
{{- else }}
{{ include "weir.secretVariable" (dict "root" .root "name" "NATS_URL" "key" (printf "%s_NATS_URL" (upper .process.user))) }}
{{- end }}
{{- range .process.secrets }}
{{ include "weir.secretVariable" (dict "root" $.root "name" . "key" .) }}
{{- end }}
{{- if eq .name "regulation" }}
# Signs receipts of deletions. Without it, there are none.
- { name: REGULATION_RECEIPT_KEY, valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: REGULATION_RECEIPT_KEY, optional: true } } }
- { name: REGULATION_RECEIPT_RETIRED_KEYS, valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: REGULATION_RECEIPT_RETIRED_KEYS, optional: true } } }
{{- end }}
{{- if eq .name "deliverer" }}
# Sends notifications by mail. Without it, there is no mail.
- { name: SMTP_URL, valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: SMTP_URL, optional: true } } }
- { name: SMTP_FROM, value: {{ .root.Values.notifications.mailFrom | quote }} }
{{- end }}
{{- if and .root.Values.archive.enabled (has .name (list "delivery" "archiver")) }}
{{ include "weir.archiveBucket" .root }}
{{- end }}
{{- if eq .name "archiver" }}
{{- with .root.Values.archive.endpoint }}
- { name: ARCHIVE_ENDPOINT, value: {{ . | quote }} }
{{- end }}
- { name: ARCHIVE_REGION, value: {{ .root.Values.archive.region | quote }} }
- { name: ARCHIVE_PREFIX, value: {{ .root.Values.archive.prefix | quote }} }
- { name: ARCHIVE_RETENTION_DAYS, value: {{ .root.Values.archive.retentionDays | quote }} }
{{- end }}
{{- if .process.internet }}
- { name: EGRESS_ALLOW_CIDRS, value: {{ include "weir.egressAllowCidrs" . | quote }} }
- { name: EGRESS_REFUSE, value: {{ include "weir.egressRefuse" .root | quote }} }
{{- with .root.Values.egressNameServers }}
- { name: EGRESS_NAME_SERVERS, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if .process.http }}
- { name: HOST, value: {{ .root.Values.bindAddress | quote }} }
- { name: PORT, value: "8080" }
- { name: PRIVATE_PORT, value: "8081" }
{{- with .root.Values.keysEnd }}
{{- $ends := list }}
{{- range $key, $day := . }}{{ $ends = append $ends (printf "%s=%s" $key $day) }}{{ end }}
- { name: KEYS_END, value: {{ join "," $ends | quote }} }
{{- end }}
- { name: PUBLIC_AREAS, value: {{ join "," .root.Values.publicAreas | quote }} }
- { name: CONSOLE_ENABLED, value: {{ .root.Values.console.enabled | quote }} }
{{- with .root.Values.console.url }}
- { name: CONSOLE_URL, value: {{ . | quote }} }
{{- end }}
{{- if and (eq .name "gateway") .root.Values.console.oidc.issuer }}
{{- with .root.Values.console.oidc }}
- { name: OIDC_ISSUER, value: {{ .issuer | quote }} }
- { name: OIDC_CLIENT_ID, value: {{ .clientId | quote }} }
- { name: OIDC_GROUPS_CLAIM, value: {{ .groupsClaim | quote }} }
- { name: OIDC_GRANTS, value: {{ toJson .grants | quote }} }
{{- end }}
- { name: OIDC_CLIENT_SECRET, valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: OIDC_CLIENT_SECRET, optional: true } } }
{{- end }}
{{- if .root.Values.separatePlanes }}
- { name: GATEWAY_PLANES, value: {{ eq .name "gateway-data" | ternary "data" "control" }} }
{{- end }}
{{- end }}
- { name: OPS_HOST, value: {{ .root.Values.bindAddress | quote }} }
- { name: OPS_PORT, value: "9090" }
{{- if and .root.Values.tracing.endpoint (ne .name "sandbox") }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ .root.Values.tracing.endpoint | quote }} }
- { name: OTEL_TRACES_SAMPLER, value: {{ .root.Values.tracing.sampler }} }
- { name: OTEL_TRACES_SAMPLER_ARG, value: {{ .root.Values.tracing.share | quote }} }
- { name: OTEL_EXPORTER_OTLP_HEADERS, valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: OTEL_EXPORTER_OTLP_HEADERS, optional: true } } }
{{- end }}
{{- if .process.schema }}
- { name: DATABASE_POOL_MAX, value: {{ default .root.Values.postgresql.poolSize .settings.databasePoolSize | quote }} }
{{- end }}
{{- range concat .root.Values.extraEnv (default list .settings.extraEnv) }}
- { name: {{ .name }}, value: {{ .value | quote }} }
{{- end }}
{{- end -}}

{{/* Keys of the Secret that a process gets: dict root, name, process. */}}
{{- define "weir.secretKeys" -}}
{{- $keys := concat (list (printf "%s_NATS_URL" (upper .process.user))) (.process.secrets | default list) -}}
{{- with .process.schema }}{{ $keys = append $keys (printf "%s_DATABASE_URL" (upper .)) }}{{ end -}}
{{- if eq .name "regulation" }}{{ $keys = concat $keys (list "REGULATION_RECEIPT_KEY" "REGULATION_RECEIPT_RETIRED_KEYS") }}{{ end -}}
{{- if eq .name "deliverer" }}{{ $keys = append $keys "SMTP_URL" }}{{ end -}}
{{- if and (eq .name "gateway") .root.Values.console.oidc.issuer }}{{ $keys = append $keys "OIDC_CLIENT_SECRET" }}{{ end -}}
{{- if and .root.Values.tracing.endpoint (ne .name "sandbox") }}{{ $keys = append $keys "OTEL_EXPORTER_OTLP_HEADERS" }}{{ end -}}
{{ toJson $keys }}
{{- end -}}

{{/*
Annotation of pods that get these keys of the Secret. It changes with the keys, so that the pods are replaced. Without a
cluster (`helm template`, GitOps) the Secret cannot be read, so `secretRevision` stands in for it. Dict root, keys.
*/}}
{{- define "weir.secretChecksum" -}}
{{- $secret := lookup "v1" "Secret" .root.Release.Namespace .root.Values.existingSecret -}}
{{- $given := dict -}}
{{- range .keys }}{{ $given = set $given . (dig "data" . "" $secret) }}{{ end -}}
weir.dev/secret-checksum: {{ printf "%s %s" .root.Values.secretRevision (toJson $given) | sha256sum | trunc 16 | quote }}
{{- end -}}
