# The server: docker build --tag komi . && docker run --publish 127.0.0.1:8000:8000 komi
FROM python:3.13-slim
COPY pyproject.toml README.md LICENSE /source/
COPY src /source/src
RUN pip install --no-cache-dir '/source[serve,postgres]' \
    && rm -r /source \
    && useradd --create-home komi \
    && install --directory --owner komi /cache /games
USER komi
ENV KOMI_CACHE_DIR=/cache KOMI_DATABASE=sqlite:////games/games.db
RUN komi serve --prepare
VOLUME ["/cache", "/games"]
EXPOSE 8000
CMD ["komi", "serve", "--host", "0.0.0.0", "--no-open"]
