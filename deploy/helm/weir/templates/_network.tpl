{{/* One egress rule: peers and port; no peers means anywhere on that port. */}}
{{- define "weir.egressTo" -}}
- ports: [{ port: {{ .port }} }]
{{- with .peers }}
  to: {{ toYaml . | nindent 4 }}
{{- end }}
{{- end -}}

{{- define "weir.natsPeers" -}}
{{- if eq .Values.nats.mode "embedded" -}}
- podSelector: { matchLabels: {{ include "weir.selector" (dict "root" . "name" "nats") | fromYaml | toJson }} }
{{- else -}}
{{ toYaml .Values.networkPolicy.natsTo }}
{{- end -}}
{{- end -}}

{{- define "weir.postgresPeers" -}}
{{- if eq .Values.postgresql.mode "cnpg" -}}
- podSelector: { matchLabels: { cnpg.io/cluster: {{ .Release.Name }}-postgres } }
{{- else -}}
{{ toYaml .Values.networkPolicy.postgresTo }}
{{- end -}}
{{- end -}}
