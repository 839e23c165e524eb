#!/bin/sh
city=$(sed 's/.*"city":"\([^"]*\)".*/\1/')
printf '{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"title":"%s","text":"3°"}}],"policy":"never"}\n' "$city"
