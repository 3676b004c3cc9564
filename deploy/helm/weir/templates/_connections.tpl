{{/*
The most replicas of a process: dict root, name. Its own replicas or its minimum count if they are above the limit, because Kubernetes
refuses a maximum below the minimum.
*/}}
{{- define "weir.maxReplicas" -}}
{{- $values := .root.Values -}}
{{- $replicas := (index $values.processes .name).replicas -}}
{{- if and $values.keda.enabled (has .name (list "filter" "deliverer" "collector")) -}}
{{- $replicas = max $replicas $values.keda.maxReplicas -}}
{{- else -}}
{{- with and $values.autoscaling.enabled (get $values.autoscaling (trimSuffix "-data" .name)) -}}
{{- $replicas = max $replicas .minReplicas .maxReplicas -}}
{{- end -}}
{{- end -}}
{{ $replicas }}
{{- end -}}

{{/*
The most connections that the processes of the release open to PostgreSQL: pools times replicas at full scale. Each
Deployment counts one pod more, which an upgrade starts first. The migrations run before or beside them, with two each.
*/}}
{{- define "weir.connectionsNeeded" -}}
{{- $needed := mul 2 (len (include "weir.databaseServices" . | fromYamlArray)) -}}
{{- range $name, $process := include "weir.processes" . | fromYaml -}}
{{- if $process.schema -}}
{{- $settings := index $.Values.processes $name -}}
{{- $replicas := include "weir.maxReplicas" (dict "root" $ "name" $name) | int -}}
{{- $needed = add $needed (mul (add $replicas 1) (int (default $.Values.postgresql.poolSize $settings.databasePoolSize))) -}}
{{- end -}}
{{- end -}}
{{ $needed }}
{{- end -}}

{{/* True if the processes reach the chart's cluster through its pooler. */}}
{{- define "weir.hasPooler" -}}
{{- if and (eq .Values.postgresql.mode "cnpg") .Values.postgresql.cnpg.pooler.enabled }}true{{ end -}}
{{- end -}}

{{/* PostgreSQL keeps three connections for superusers. The others are for backups, metrics and people. */}}
{{- define "weir.freeConnections" -}}
{{ sub (int .Values.postgresql.maxConnections) 10 }}
{{- end -}}

{{/* The most connections that one pooler may open. An upgrade starts one pooler more. */}}
{{- define "weir.pooledConnections" -}}
{{ div (include "weir.freeConnections" . | int) (add (int .Values.postgresql.cnpg.pooler.instances) 1) }}
{{- end -}}

{{- define "weir.checkConnections" -}}
{{- $free := include "weir.freeConnections" . | int -}}
{{- if include "weir.hasPooler" . -}}
{{- $pooler := .Values.postgresql.cnpg.pooler -}}
{{- $pooled := mul (add (int $pooler.instances) 1) (int $pooler.poolSize) (len (include "weir.databaseServices" . | fromYamlArray)) -}}
{{- if gt $pooled $free -}}
{{- fail (printf "The poolers open up to %d connections to PostgreSQL: one pool for each of the roles, in each instance and in one more during an upgrade. postgresql.maxConnections leaves %d. Raise it, or lower postgresql.cnpg.pooler.poolSize or instances." $pooled $free) -}}
{{- end -}}
{{- else -}}
{{- $needed := int (include "weir.connectionsNeeded" .) -}}
{{- if gt $needed $free -}}
{{- fail (printf "At full scale, the processes open up to %d connections to PostgreSQL, and postgresql.maxConnections leaves %d. Raise it (and an external server's own max_connections), or lower postgresql.poolSize, processes.*.databasePoolSize, replicas or the limits of autoscaling." $needed $free) -}}
{{- end -}}
{{- end -}}
{{- end -}}
