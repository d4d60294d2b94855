{{- define "posthorn.name" -}}
{{- if contains "posthorn" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-posthorn{{ end }}
{{- end }}

{{- define "posthorn.selector" -}}
app.kubernetes.io/name: posthorn
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "posthorn.metadata" -}}
name: {{ include "posthorn.name" . }}
labels:
  {{- include "posthorn.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
