{{/*
The most connections that the processes of the release open to PostgreSQL: pools times replicas at full scale. Each
Deployment counts one pod more, which an upgrade starts first. The migrations run before or beside them, with two each.
*/}}
{{- define "weir.connectionsNeeded" -}}
{{- $needed := mul 2 (len (include "weir.databaseServices" . | fromYamlArray)) -}}
{{- range $name, $process := include "weir.processes" . | fromYaml -}}
{{- if $process.schema -}}
{{- $settings := index $.Values.processes $name -}}
{{- $replicas := int $settings.replicas -}}
{{- with and $.Values.autoscaling.enabled (get $.Values.autoscaling (trimSuffix "-data" $name)) -}}
{{- $replicas = max $replicas (int .maxReplicas) -}}
{{- end -}}
{{- if and $.Values.keda.enabled (has $name (list "filter" "deliverer" "collector")) -}}
{{- $replicas = max $replicas (int $.Values.keda.maxReplicas) -}}
{{- end -}}
{{- $needed = add $needed (mul (add $replicas 1) (int (default $.Values.postgresql.poolSize $settings.databasePoolSize))) -}}
{{- end -}}
{{- end -}}
{{ $needed }}
{{- end -}}

{{/* PostgreSQL keeps three connections for superusers. The others are for backups, metrics and people. */}}
{{- define "weir.checkConnections" -}}
{{- $needed := int (include "weir.connectionsNeeded" .) -}}
{{- $free := sub (int .Values.postgresql.maxConnections) 10 -}}
{{- if gt $needed $free -}}
{{- fail (printf "At full scale, the processes open up to %d connections to PostgreSQL, and postgresql.maxConnections leaves %d. Raise it (and an external server's own max_connections), or lower postgresql.poolSize, processes.*.databasePoolSize, replicas or the limits of autoscaling." $needed $free) -}}
{{- end -}}
{{- end -}}
