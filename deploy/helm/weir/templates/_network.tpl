{{/* One egress rule: peers and port. Without peers, it allows any address on that port. */}}
{{- define "weir.egressTo" -}}
- ports: [{ port: {{ .port }} }]
{{- with .peers }}
  to: {{ toYaml . | nindent 4 }}
{{- end }}
{{- end -}}

{{/* Allows name lookups of services and destinations in the cluster only. */}}
{{- define "weir.namesEgress" -}}
- ports: [{ port: {{ .Values.networkPolicy.dnsPort }}, protocol: UDP }, { port: {{ .Values.networkPolicy.dnsPort }}, protocol: TCP }]
  to: {{ toYaml .Values.networkPolicy.dnsTo | nindent 4 }}
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
- podSelector: { matchLabels: { cnpg.io/cluster: {{ include "weir.fullname" . }}-postgres } }
{{- if include "weir.hasPooler" . }}
- podSelector: { matchLabels: { cnpg.io/poolerName: {{ include "weir.fullname" . }}-postgres-pooler } }
{{- end }}
{{- else if eq .Values.postgresql.mode "embedded" -}}
- podSelector: { matchLabels: {{ include "weir.selector" (dict "root" . "name" "postgres") | fromYaml | toJson }} }
{{- else -}}
{{ toYaml .Values.networkPolicy.postgresTo }}
{{- end -}}
{{- end -}}
