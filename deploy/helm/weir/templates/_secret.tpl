{{/* Keys of the Secret that this release needs, sorted. */}}
{{- define "weir.requiredKeys" -}}
{{- $keys := list "MIGRATE_NATS_URL" -}}
{{- range $name, $process := include "weir.processes" . | fromYaml -}}
{{- $keys = concat $keys (list (printf "%s_NATS_URL" (upper $process.user))) (default list $process.secrets) -}}
{{- with $process.schema }}{{ $keys = append $keys (printf "%s_DATABASE_URL" (upper .)) }}{{ end -}}
{{- end -}}
{{- if eq .Values.nats.mode "embedded" }}{{ $keys = concat $keys (include "weir.natsPasswordKeys" . | fromYamlArray) }}{{ end -}}
{{- if eq .Values.postgresql.mode "embedded" -}}
{{- $keys = append $keys "POSTGRES_PASSWORD" -}}
{{- range include "weir.databaseServices" . | fromYamlArray }}{{ $keys = append $keys (printf "%s_DB_PASSWORD" (upper .)) }}{{ end -}}
{{- end -}}
{{ $keys | uniq | sortAlpha | toJson }}
{{- end -}}

{{/* The command that creates the Secret. Names of objects begin with the full name, and secrets.sh makes names of hosts of it. */}}
{{- define "weir.secretCommand" -}}
sh deploy/secrets.sh --namespace {{ .Release.Namespace }} --release {{ include "weir.fullname" . }} --secret {{ .Values.existingSecret }}
{{- if include "weir.hasPooler" . }} --postgres pooler
{{- else if eq .Values.postgresql.mode "cnpg" }} --postgres cnpg
{{- else if eq .Values.postgresql.mode "external" }} --postgres <host>:<port>/<database> --save <file>
{{- end }}
{{- if eq .Values.nats.mode "external" }} --nats nats://<host>:<port>{{ end }}
{{- end -}}

{{/*
Refuses a release whose Secret is missing or lacks keys, instead of pods that never start. Only a cluster can tell, and `helm
template` sees none: every namespace of a cluster has the ConfigMap kube-root-ca.crt, and every cluster the namespace default. The second
look needs more rights. It is only taken for a namespace that Helm creates.
*/}}
{{- define "weir.checkSecret" -}}
{{- if or (lookup "v1" "ConfigMap" .Release.Namespace "kube-root-ca.crt") (lookup "v1" "Namespace" "" "default") -}}
{{- $name := .Values.existingSecret -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace $name -}}
{{- if not $secret -}}
{{- fail (printf "Namespace %s has no Secret %s. Create it first: %s (--help lists its options)" .Release.Namespace $name (include "weir.secretCommand" .)) -}}
{{- end -}}
{{- $missing := list -}}
{{- range include "weir.requiredKeys" . | fromJsonArray -}}
{{- if not (hasKey (default dict $secret.data) .) }}{{ $missing = append $missing . }}{{ end -}}
{{- end -}}
{{- if include "weir.hasPooler" . -}}
{{- $pooler := printf "@%s-postgres-pooler:" (include "weir.fullname" .) -}}
{{- range $key, $value := default dict $secret.data -}}
{{- if and (hasSuffix "_DATABASE_URL" $key) (not (contains $pooler (b64dec $value))) -}}
{{- fail (printf "postgresql.cnpg.pooler is enabled, and %s of Secret %s does not lead to it. Let the URLs name the host %s-postgres-pooler, after the settings of the roles are there (deploy/README.md, Connections), or disable the pooler." $key $name (include "weir.fullname" $)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $missing -}}
{{- fail (printf "Secret %s in namespace %s lacks %s. deploy/README.md says what each key holds. deploy/secrets.sh creates a whole Secret in an empty namespace." $name .Release.Namespace (join ", " $missing)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
