// The same email through the API, which also has templates, variables and attachments.
import type { Snippet, SampleEmail } from "./values.ts";

function json({ to, from }: SampleEmail, indent: number): string {
  const body = { to, from, subject: "It works", body: '<p>Hello {{ name ?? "there" }}</p>' };
  return JSON.stringify(body, null, 2).replaceAll("\n", `\n${" ".repeat(indent)}`);
}

export const API: readonly Snippet<SampleEmail>[] = [
  {
    id: "curl",
    name: "curl",
    file: "sh",
    text: (given) => `curl ${given.origin}/v1/send \\
  -H "Authorization: Bearer ${given.password}" \\
  -H "Content-Type: application/json" \\
  -d '${json(given, 2)}'
`,
  },
  {
    id: "node",
    name: "Node.js",
    file: "send.js",
    text: (given) => `const response = await fetch("${given.origin}/v1/send", {
  method: "POST",
  headers: { Authorization: "Bearer ${given.password}", "Content-Type": "application/json" },
  body: JSON.stringify(${json(given, 2)}),
});
console.log(response.status, await response.json());
`,
  },
  {
    id: "python",
    name: "Python",
    file: "pip install requests",
    text: (given) => `import requests

response = requests.post(
    "${given.origin}/v1/send",
    headers={"Authorization": "Bearer ${given.password}"},
    json=${json(given, 4)},
)
print(response.status_code, response.json())
`,
  },
  {
    id: "php",
    name: "PHP",
    file: "send.php",
    text: (given) => `<?php
$request = curl_init('${given.origin}/v1/send');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ${given.password}', 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'to' => '${given.to}',
        'from' => '${given.from}',
        'subject' => 'It works',
        'body' => '<p>Hello {{ name ?? "there" }}</p>',
    ]),
]);
echo curl_exec($request);
`,
  },
  {
    id: "ruby",
    name: "Ruby",
    file: "send.rb",
    text: (given) => `require "net/http"
require "json"

mail = { to: "${given.to}", from: "${given.from}", subject: "It works", body: '<p>Hello {{ name ?? "there" }}</p>' }
headers = { "Authorization" => "Bearer ${given.password}", "Content-Type" => "application/json" }
puts Net::HTTP.post(URI("${given.origin}/v1/send"), mail.to_json, headers).body
`,
  },
  {
    id: "go",
    name: "Go",
    file: "send.go",
    text: (given) => `package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"
)

func main() {
	mail := strings.NewReader(\`${json(given, 1)}\`)
	request, err := http.NewRequest("POST", "${given.origin}/v1/send", mail)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer ${given.password}")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
}
`,
  },
];
