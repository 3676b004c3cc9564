// A walk through Weir with a client made from its OpenAPI document: create, publish, send, find, replay.
//
//	mkdir weir && curl -o openapi.json http://localhost:8080/openapi.json
//	go tool oapi-codegen -generate types,client -package weir -o weir/weir.gen.go openapi.json
//	WEIR_URL=http://localhost:8080 WEIR_TOKEN=... HOOK_URL=https://example.com/events go run .
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"example.com/walk/weir"
)

const code = "export const transformEvent = (event) => ({ ...event, properties: { ...event.properties, checked: true } });"

func main() {
	ctx := context.Background()
	api := must(weir.NewClientWithResponses(os.Getenv("WEIR_URL"), weir.WithRequestEditorFn(withToken)))
	name := fmt.Sprintf("walk %d", time.Now().UnixMilli())

	created := must(api.CreateSourceWithResponse(ctx, nil, weir.CreateSource{Name: name, Type: "HTTP"}))
	source := answered(created.JSON200, created.Body).Source

	// The type of a destination decides the form of its settings. This server refuses the first event.
	config := weir.WebhookConfig{WebhookUrl: os.Getenv("HOOK_URL")}
	var hook weir.CreateDestination
	check(hook.FromWebhookDestination(weir.WebhookDestination{Name: name, Config: &config}))
	added := must(api.CreateDestinationWithResponse(ctx, nil, hook))
	destination := answered(added.JSON200, added.Body).Destination
	connection := weir.CreateConnection{SourceId: source.Id, DestinationId: destination.Id}
	connected := must(api.CreateConnectionWithResponse(ctx, connection))
	answered(connected.JSON200, connected.Body)

	transformation := weir.CreateTransformation{Name: name, Code: code, DestinationIds: &[]string{destination.Id}}
	publish := weir.CreateTransformationParams{Publish: to(true)}
	published := must(api.CreateTransformationWithResponse(ctx, &publish, transformation))
	answered(published.JSON200, published.Body)

	var user weir.Event_UserId
	check(user.FromEventUserId0("u1"))
	properties := map[string]any{"total": 42}
	event := weir.Event{MessageId: &name, UserId: &user, Event: to("Order Placed"), Properties: &properties}
	sent := must(api.SendTrackWithResponse(ctx, event, withWriteKey(source.WriteKey)))
	if sent.StatusCode() != http.StatusOK {
		log.Fatalf("%s", sent.Body)
	}

	deadLetter := find(ctx, api, name)
	replay := weir.ReplayRequest{Ids: &[]string{deadLetter}, DryRun: to(false)}
	replayed := must(api.ReplayDeliveriesWithResponse(ctx, replay))
	fmt.Printf("%d replayed\n", answered(replayed.JSON200, replayed.Body).Deliveries)
}

// find asks where the event is, until it has failed for good. It tells why, and returns the id of its dead letter.
func find(ctx context.Context, api *weir.ClientWithResponses, messageID string) string {
	for ; ; time.Sleep(200 * time.Millisecond) {
		found := must(api.GetEventWithResponse(ctx, messageID))
		if found.StatusCode() == http.StatusNotFound {
			continue // what happens to an event is known within a second
		}
		event := answered(found.JSON200, found.Body)
		for _, destination := range event.Destinations {
			steps := destination.Steps
			if len(steps) == 0 || steps[len(steps)-1].DeliveryId == nil {
				continue
			}
			last := steps[len(steps)-1]
			fmt.Printf("%s failed at %s: %s\n", *event.EventName, *last.Stage, *last.Reason)
			return *last.DeliveryId
		}
	}
}

func withToken(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("WEIR_TOKEN"))
	return nil
}

func withWriteKey(key string) weir.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(key, "")
		return nil
	}
}

// answered returns what Weir answered, or ends with the sentence that says what to change.
func answered[T any](answer *T, body []byte) T {
	if answer == nil {
		var refusal weir.Error
		check(json.Unmarshal(body, &refusal))
		log.Fatal(refusal.Message)
	}
	return *answer
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func to[T any](value T) *T { return &value }
