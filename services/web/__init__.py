"""The face for people: pages made on the server, and a little JavaScript that makes them live."""
