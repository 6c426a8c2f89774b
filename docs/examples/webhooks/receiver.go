// Receives webhooks: go get github.com/standard-webhooks/standard-webhooks/libraries; WEBHOOK_SECRET=whsec_… PORT=4003 go run receiver.go
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type event struct {
	ID     string `json:"event_id"`
	Type   string `json:"event_type"`
	UserID string `json:"user_id"`
	Data   struct {
		FirstDate string `json:"first_date"`
		LastDate  string `json:"last_date"`
		Backfill  bool   `json:"backfill"`
		Test      bool   `json:"test"`
	} `json:"data"`
}

const mostBytes = 65_536

// A real receiver uses a table: INSERT … ON CONFLICT (event_id) DO NOTHING shows whether the event is new.
var kept sync.Map

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is empty, so anyone could sign requests")
	}
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		log.Fatal(err)
	}
	waiting := make(chan event, 1024)
	go work(waiting)

	http.HandleFunc("/hooks", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		// The raw bytes: a body that is parsed and serialized again has a different signature.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		var received event
		if webhook.Verify(body, r.Header) != nil || json.Unmarshal(body, &received) != nil {
			http.Error(w, "The signature does not match.", http.StatusBadRequest)
			return
		}
		if _, known := kept.LoadOrStore(received.ID, received); !known {
			waiting <- received
		}
		w.WriteHeader(http.StatusNoContent)
	})

	port := os.Getenv("PORT")
	if port == "" {
		port = "4003"
	}
	server := &http.Server{Addr: "127.0.0.1:" + port, ReadTimeout: 10 * time.Second}
	fmt.Println("listening on", port)
	log.Fatal(server.ListenAndServe())
}

// Runs after the response is sent: read the changed data from the API here, history (backfill) last.
func work(waiting <-chan event) {
	for e := range waiting {
		kind := "new"
		if e.Data.Test {
			kind = "test"
		} else if e.Data.Backfill {
			kind = "history"
		}
		fmt.Println(e.Type, e.ID, e.UserID, e.Data.FirstDate, e.Data.LastDate, kind)
	}
}
